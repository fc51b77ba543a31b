"""`viva show`: a recorded run or one of its cases, as the console would have shown it."""

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from vivavoce.cli import options
from vivavoce.project.run_options import TerminalOptions

if TYPE_CHECKING:
    from vivavoce.model.result import CaseResult, RunInfo

EPILOG = """\b
Examples:
  viva show                               the newest run, as its console looked
  viva show last~1 -q                     the one before it: only what did not pass, and a closing line
  viva show T003                          one case of the newest run with its whole conversation
  viva show last~1::T003                  the same case in the run before
  viva show output.jsonl --format agent   the failures of a result file, short, for a coding agent
"""


@click.command("show", epilog=EPILOG)
@click.argument("run", default="last", metavar="[RUN | CASE | RUN::CASE]")
@options.named(TerminalOptions, "quiet")
@options.named(TerminalOptions, "verbose")
@options.named(TerminalOptions, "format")
@options.project_options
def command(run: str, config: str | None, **flags: Any) -> int:
    """Show a recorded run again: a result file, `last`, `last~N`, or a run id as `viva history` lists them.

    A case (its id, or path::id) is shown with every message and tool call. Calls no agent.
    """
    from vivavoce.app.opening import open_project
    from vivavoce.app.showing import open_shown, recorded_events, recorded_results
    from vivavoce.cli.console import reporter_for
    from vivavoce.cli.examining import refuse_opposites
    from vivavoce.errors import EXIT_PASSED
    from vivavoce.reporters.rerun import repeat_failed

    refuse_opposites(flags)
    data, case = open_shown(run, open_project(config))
    info = data.kept().info
    is_last = run in ("last", "")
    if case is not None:
        _show_cases(recorded_results(data, case), info, flags)
        return EXIT_PASSED
    reporter = reporter_for(sys.stdout, **flags, again=repeat_failed(info.command) if is_last else None)
    for event in recorded_events(data):
        reporter.handle(event)
    reporter.close()
    return EXIT_PASSED


def _show_cases(results: "list[CaseResult]", info: "RunInfo", flags: dict[str, Any]) -> None:
    from vivavoce.reporters.agent_format import case_in_full
    from vivavoce.reporters.rerun import rerun_command
    from vivavoce.reporters.terminal.case_block import case_lines
    from vivavoce.reporters.terminal.style import Look, console_style, console_width, for_encoding

    if flags["format"] == "agent":
        for result in results:
            click.echo("\n".join(case_in_full(result, info)))
        return
    color = console_style(os.environ, sys.stdout.isatty()).color
    width = console_width(os.environ, sys.stdout.isatty())
    look = Look(width=width, color=color, verbose=not flags["quiet"])
    for result in results:
        again = rerun_command(result.case, info)
        below = ["", look.dim(again)] if again else []
        for line in [*case_lines(result, look, compact=False), *below]:
            click.echo(for_encoding(line, sys.stdout.encoding), color=color)
