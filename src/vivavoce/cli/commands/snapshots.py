"""`viva snapshots`: what is approved, what is left over, and what changed, decided one by one."""

import sys
from typing import TYPE_CHECKING

import click

from vivavoce.cli import options
from vivavoce.cli.completing import complete_run
from vivavoce.containment.safe_stream import write_data

if TYPE_CHECKING:
    from vivavoce.app.snapshot_list import Entry
    from vivavoce.project.project import Project

EPILOG = """\b
Examples:
  viva snapshots                          every snapshot of the project's tests
  viva snapshots tests/ --obsolete        those whose case or check is gone
  viva snapshots --obsolete --delete      removes them
  viva snapshots --review                 what changed in the newest run: accept, keep or skip
"""


@click.command("snapshots", epilog=EPILOG)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(exists=True))
@click.option("--obsolete", is_flag=True, help="Only those whose case or check is gone; exit 1 if there are any.")
@click.option("--delete", is_flag=True, help="With --obsolete: remove them from their files.")
@click.option("--review", is_flag=True, help="Ask about each difference of a run: accept, keep or skip.")
@click.option(
    "--run",
    "runs",
    multiple=True,
    metavar="RUN",
    shell_complete=complete_run,
    help="With --review: the run to take differences from (a result file, last~1, an id). Repeatable. Default: last.",
)
@click.option("--json", "as_json", is_flag=True, help="The list as one JSON array.")
@options.project_options
def command(
    paths: tuple[str, ...],
    obsolete: bool,
    delete: bool,
    review: bool,
    runs: tuple[str, ...],
    as_json: bool,
    config: str | None,
) -> int:
    """List the snapshots of case files, folders or snapshot files; the default is the project's tests.

    Each is `approved`, `missing` (the next run that passes writes it), `obsolete` (its case or check is gone) or
    `unknown` (its case file cannot be read). Calls no agent.
    """
    from vivavoce.app.opening import open_project
    from vivavoce.cli.event_loop import run_async
    from vivavoce.errors import UsageError

    if delete and not obsolete:
        raise UsageError("--delete removes obsolete snapshots", hint="write --obsolete --delete")
    if review and (obsolete or as_json):
        raise UsageError("--review asks about each difference; it lists nothing", hint="leave the other option out")
    if runs and not review:
        raise UsageError("--run says which run to review", hint="write --review --run RUN")
    project = open_project(config, inputs=paths)
    if review:
        return run_async(lambda: _review(project, paths, runs))
    return _list(project, paths, obsolete=obsolete, delete=delete, as_json=as_json)


def _list(project: "Project", paths: tuple[str, ...], *, obsolete: bool, delete: bool, as_json: bool) -> int:
    import msgspec

    from vivavoce.app.snapshot_list import delete_obsolete, survey
    from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, ManyProblems

    found = survey(project, paths)
    entries = [entry for entry in found.entries if entry.state == "obsolete"] if obsolete else found.entries
    if as_json:
        write_data(sys.stdout, msgspec.json.format(msgspec.json.encode(entries), indent=2).decode() + "\n")
    elif entries or not found.problems:
        _print_outcome(entries, obsolete=obsolete)
    if delete:
        removed = delete_obsolete(entries)
        click.echo(f"{removed} removed", err=as_json)
    if found.problems:
        raise ManyProblems(found.problems)
    return EXIT_FAILED if obsolete and entries and not delete else EXIT_PASSED


def _print_outcome(entries: "list[Entry]", *, obsolete: bool) -> None:
    from vivavoce.wording.plurals import counted
    from vivavoce.wording.terminal_text import one_line

    for entry in entries:
        why = f" ({entry.why})" if entry.why else ""
        click.echo(f"{entry.state:<8}  " + one_line(f"{entry.file}::{entry.case}: {entry.name}{why}"))
    if obsolete:
        click.echo(counted(len(entries), "obsolete snapshot") if entries else "no obsolete snapshot")
        return
    states = [entry.state for entry in entries]
    told = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    click.echo(f"{counted(len(entries), 'snapshot')}{f': {told}' if told else ''}")


async def _review(project: "Project", paths: tuple[str, ...], runs: tuple[str, ...]) -> int:
    from vivavoce.app.snapshot_review import review
    from vivavoce.cli.asking import terminal_for
    from vivavoce.cli.snapshot_asking import ask_about
    from vivavoce.errors import EXIT_PASSED
    from vivavoce.wording.terminal_text import one_line

    terminal = terminal_for("viva snapshots --review", instead="viva test --update-snapshots accepts all that changed")
    found = review(project, runs, paths)
    for line in found.left_out:
        click.echo(one_line(f"left out: {line}"))
    click.echo(await ask_about(found.pending, terminal))
    return EXIT_PASSED
