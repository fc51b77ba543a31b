"""`viva tape`: recorded model calls checked, compared and recorded again."""

from pathlib import Path
from typing import Any

import click

from vivavoce.cli import options
from vivavoce.project.run_options import AgentOptions, ExecutionOptions, SelectionOptions

EPILOG = """\b
Examples:
  viva tape check tapes/                 readable, in use, free of secrets
  viva tape diff old-tapes/ tapes/       which requests and answers differ
  viva tape diff tapes/                  where the last replayed run differed from its tapes
  viva tape refresh tapes/ -i tests/     records the changed cases again, and only these
"""


@click.group("tape", epilog=EPILOG)
def command() -> None:
    """Look after tapes: the model calls that viva test --record keeps and --replay answers from."""


@command.command("check")
@click.argument("tapes", type=click.Path(path_type=Path))
@options.source_options
@options.project_options
def check(tapes: Path, **flags: Any) -> int:
    """Check that every tape can be read, belongs to a case and holds no secret."""
    from vivavoce.app.opening import open_project
    from vivavoce.app.request import RunRequest
    from vivavoce.app.tape_keeping import checked_tapes
    from vivavoce.errors import EXIT_FAILED, EXIT_PASSED
    from vivavoce.wording.plurals import counted

    request = RunRequest.of(flags)
    found = checked_tapes(tapes, open_project(request.config_path, inputs=flags["inputs"]), request)
    for problem in found.problems:
        click.echo(f"viva: {problem}", err=True)
    told = f"{counted(found.tapes, 'tape')}, {counted(found.calls, 'call')}"
    click.echo(f"{told}: {counted(len(found.problems), 'problem') if found.problems else 'in order'}")
    return EXIT_FAILED if found.problems else EXIT_PASSED


@command.command("diff")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", required=False, type=click.Path(path_type=Path))
@options.project_options
def diff(old: Path, new: Path | None, config: str | None) -> int:
    """Show what differs between two tapes or folders of tapes; of one, what the last run found. Exit 1: they differ."""
    from vivavoce.app.opening import open_project
    from vivavoce.app.tape_keeping import compared_tapes, last_drift, require_tapes
    from vivavoce.errors import EXIT_FAILED, EXIT_PASSED
    from vivavoce.wording.terminal_text import one_line

    require_tapes(old)
    lines = last_drift(old, open_project(config)) if new is None else list(compared_tapes(old, new))
    for line in lines:
        click.echo(one_line(line))
    if not lines:
        click.echo("no differences")
    return EXIT_FAILED if lines else EXIT_PASSED


@command.command("refresh")
@click.argument("tapes", type=click.Path(path_type=Path))
@options.source_options
@options.groups(AgentOptions, SelectionOptions, ExecutionOptions)
@click.option("--dry-run", is_flag=True, help="Only say which cases would be recorded again.")
@options.project_options
def refresh(tapes: Path, dry_run: bool, **flags: Any) -> int:
    """Record again the cases whose tapes do not fit any more: replays all, then calls models for the changed ones."""
    from vivavoce.app.request import RunRequest
    from vivavoce.app.tape_keeping import stale_cases
    from vivavoce.cli.event_loop import run_async
    from vivavoce.cli.examining import examined
    from vivavoce.wording.plurals import counted
    from vivavoce.wording.terminal_text import one_line

    quiet = dict(flags, replay=str(tapes), drift="warn", history=False)
    stale: set[str] = set()

    async def find() -> int:
        stale.update(await stale_cases(RunRequest.of(quiet)))
        return 0

    run_async(find)
    for key in sorted(stale):
        click.echo(one_line(f"changed: {key}"))
    click.echo(f"{counted(len(stale), 'case')} to record again" if stale else "every tape fits")
    if dry_run or not stale:
        return 0
    again = RunRequest.of({**flags, "record": str(tapes)}, only_keys=frozenset(stale))
    return run_async(lambda: examined(again))
