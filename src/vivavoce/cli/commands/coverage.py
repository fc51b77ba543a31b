"""`viva coverage`: what the tests exercised of an agent, and what they checked."""

import os
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from vivavoce.cli import options
from vivavoce.cli.completing import complete_run
from vivavoce.project.run_options import AgentOptions, CaseOptions, ProjectOptions, SelectionOptions, TerminalOptions

if TYPE_CHECKING:
    from vivavoce.model.coverage import Coverage

    Writer = Callable[[Coverage, TextIO], None]

EPILOG = """\b
Examples:
  viva coverage                               the newest run: which tools, parameters, values, interrupts, …
  viva coverage a.jsonl b.jsonl               several runs together
  viva coverage -o coverage.html              as a page; also .md and .json
  viva coverage --fail-under 80               in CI: exit 1 when less is exercised
  viva coverage --fail-under-checked 60       … or when less would be missed by a check
"""
_PERCENT = click.FloatRange(0, 100)


@click.command("coverage", epilog=EPILOG)
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=complete_run)
@options.named(CaseOptions, "inputs", options.WHERE_THE_CASES_ARE)
@click.option("-o", "--output", "files", multiple=True, metavar="FILE", help="Everything as .html, .md or .json.")
@click.option("--judges", is_flag=True, help="Ask judges too; by default nobody is asked and they check nothing.")
@click.option("--fail-under", type=_PERCENT, metavar="PERCENT", help="Exit 1 when less is exercised.")
@click.option("--fail-under-checked", type=_PERCENT, metavar="PERCENT", help="Exit 1 when less is checked.")
@options.named(AgentOptions, "connector")
@options.groups(SelectionOptions, ProjectOptions)
@options.named(TerminalOptions, "format")
def command(
    runs: tuple[str, ...],
    files: tuple[str, ...],
    judges: bool,
    fail_under: float | None,
    fail_under_checked: float | None,
    **flags: Any,
) -> int:
    """Show what recorded conversations exercised of the agent: tools and their outcomes, parameters and their values,
    interrupts, checkpoints, pairs of tools, finish reasons, hand-offs. No agent is called.

    RUN is a result file, `last`, `last~1` or a run's id, each with `::CASE` behind it if you like; the default is the
    newest run. Something is checked when a case that ran it would not pass without it: it is taken out of the recorded
    conversation, which is judged again by the cases as they read now.
    """
    from vivavoce.app.covering import measure_coverage
    from vivavoce.app.outputs import write_named_file
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.event_loop import run_async
    from vivavoce.errors import EXIT_FAILED, EXIT_PASSED
    from vivavoce.sources.overwriting import refuse_losing_cases
    from vivavoce.wording.plurals import counted

    writers = [(Path(file), _writer(file)) for file in files]
    refuse_losing_cases(files)
    request = RunRequest.of(flags, command=shlex.join(["viva", *sys.argv[1:]]))

    async def measured() -> int:
        found = await measure_coverage(runs, request, judges=judges)
        _print(found, for_agents=flags.get("format") == "agent")
        for path, write in writers:
            write_named_file(path, partial(write, found))
            click.echo(f"written to {path}")
        limits = (("exercised", found.exercised(), fail_under), ("checked", found.checked(), fail_under_checked))
        # Nothing known is no coverage: a limit on it must not be green.
        short = [
            (word, share, least)
            for word, share, least in limits
            if least and (share.percent < least or not share.whole)
        ]
        for word, share, least in short:
            seen = f"{share.percent:.1f} % is {word}" if share.whole else f"nothing is known that could be {word}"
            click.echo(f"FAIL: {seen}, wanted {least:g} %")
        has_limit = fail_under is not None or fail_under_checked is not None
        is_damaged = has_limit and found.unreadable > 0
        if is_damaged:
            lines = counted(found.unreadable, "line")
            click.echo(f"FAIL: {lines} of the recording cannot be read: the figures are about the rest")
        return EXIT_FAILED if short or is_damaged else EXIT_PASSED

    return run_async(measured)


def _print(found: "Coverage", *, for_agents: bool) -> None:
    from vivavoce.reporters.coverage.console import agent_lines, coverage_lines
    from vivavoce.reporters.terminal.style import Look, console_style, console_width, for_encoding

    style = console_style(os.environ, sys.stdout.isatty())
    look = Look(width=console_width(os.environ, sys.stdout.isatty()), color=style.color)
    for line in agent_lines(found) if for_agents else coverage_lines(found, look):
        click.echo(for_encoding(line, sys.stdout.encoding), color=style.color)


def _writer(file: str) -> "Writer":
    """What writes coverage in the format of this file's suffix. Raises UsageError where there is none."""
    from vivavoce.errors import UsageError
    from vivavoce.reporters.coverage.documents import write_json, write_markdown
    from vivavoce.reporters.coverage.page import write_html

    writers: dict[str, Writer] = {".html": write_html, ".md": write_markdown, ".json": write_json}
    found = writers.get(Path(file).suffix.lower())
    if found is None:
        raise UsageError(f"no coverage format for {file}", at="-o", hint="use .html, .md or .json")
    return found
