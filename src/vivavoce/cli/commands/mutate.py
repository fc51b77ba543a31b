"""`viva mutate`: would the tests notice if the agent had done something else?"""

import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from vivavoce.cli import options
from vivavoce.cli.completing import complete_run
from vivavoce.project.run_options import (
    AgentOptions,
    CaseOptions,
    ProjectOptions,
    SelectionOptions,
    TerminalOptions,
)

if TYPE_CHECKING:
    from vivavoce.insight.mutants.score import MutationReport

EPILOG = """\b
Examples:
  viva mutate                                 the newest run: which changes would no check notice?
  viva mutate last::T003                      one case
  viva mutate out.jsonl --fail-under 90       in CI: exit 1 below this score
  viva mutate last -o mutants.html            as a page; also .md and .json
  viva mutate last::T003 --write              put the suggested checks into the case file
"""


@click.command("mutate", epilog=EPILOG)
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=complete_run)
@options.named(CaseOptions, "inputs", options.WHERE_THE_CASES_ARE)
@click.option("--judges", is_flag=True, help="Ask judges too; by default nobody is asked.")
@click.option("--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="Exit 1 below this score.")
@click.option("-o", "--output", "files", multiple=True, metavar="FILE", help="The score as .html, .md or .json.")
@click.option("--write", is_flag=True, help="Add the suggested checks to the case files; comments stay.")
@options.named(AgentOptions, "connector")
@options.groups(SelectionOptions, ProjectOptions, said={"seed": "Seed of the changes, and of --sample [0]."})
@options.named(TerminalOptions, "format")
def command(
    runs: tuple[str, ...], judges: bool, fail_under: float | None, files: tuple[str, ...], write: bool, **flags: Any
) -> int:
    """Change each recorded conversation in one way at a time and judge it again, without calling the agent.

    A change that no check of the case notices survives; it is listed with a check that would notice it. The score is
    the share of changes that were noticed. A call too many, a slow turn, a secret or the system prompt in a reply count
    only where a check sets a limit for them. The same --seed makes the same changes.
    """
    from vivavoce.app.mutating import mutate
    from vivavoce.app.outputs import write_named_file
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.event_loop import run_async
    from vivavoce.cli.progress_line import ProgressLine
    from vivavoce.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_PASSED
    from vivavoce.sources.overwriting import refuse_losing_cases
    from vivavoce.wording.plurals import counted

    request = RunRequest.of(flags, command=shlex.join(["viva", *sys.argv[1:]]))
    writers = [(Path(file), _writer(file)) for file in files]
    refuse_losing_cases(files)

    async def scored() -> int:
        line = ProgressLine()
        report = await mutate(
            runs,
            request,
            judges=judges,
            owns_process=True,
            on_case=lambda done, of: line.show(f"{done:,} of {counted(of, 'case')}"),
        )
        line.clear()
        _print(report, for_agents=flags.get("format") == "agent")
        for path, write_one in writers:
            write_named_file(path, partial(write_one, report))
            click.echo(f"written to {path}")
        if report.not_reached:
            return EXIT_INTERRUPTED
        if write:
            _add_checks(report, request.config_path)
        if fail_under is None:
            return EXIT_PASSED
        if report.unreadable:
            lines = counted(report.unreadable, "line")
            _say(f"FAIL: {lines} of the recording cannot be read: the score is of the rest")
        return EXIT_FAILED if report.unreadable or (report.counts.percent or 0.0) < fail_under else EXIT_PASSED

    return run_async(scored)


def _print(report: "MutationReport", *, for_agents: bool) -> None:
    from vivavoce.insight.mutants.words import agent_lines, report_lines

    for line in agent_lines(report) if for_agents else report_lines(report):
        _say(line)


def _say(line: str) -> None:
    from vivavoce.reporters.terminal.style import for_encoding
    from vivavoce.wording.terminal_text import neutral

    click.echo(for_encoding(neutral(line, keep_newlines=False), sys.stdout.encoding))


def _writer(file: str) -> "Callable[[MutationReport, TextIO], None]":
    """What writes a score in the format of this file's suffix. Raises UsageError where there is none."""
    from vivavoce.errors import UsageError
    from vivavoce.insight.mutants.documents import write_json, write_markdown, write_page
    from vivavoce.reporters.formats import format_of

    writers = {"html": write_page, "markdown": write_markdown, "json": write_json}
    kind = format_of(file)
    if kind not in writers:
        raise UsageError(f"no format of mutation scores for {file}", at="-o", hint="use .html, .md or .json")
    return writers[kind]


def _add_checks(report: "MutationReport", config: str | None) -> None:
    from vivavoce.app.opening import open_project
    from vivavoce.app.writing_checks import write_checks
    from vivavoce.wording.plurals import counted

    total = 0
    for written in write_checks(report.cases, open_project(config).root):
        total += written.added
        if written.added:
            _say(f"{written.key}: {counted(written.added, 'check')} added")
        for check in written.refused:
            _say(f"{written.key}: not added, because its file cannot be changed safely; paste it: {check}")
    _say(f"{counted(total, 'check')} added; viva rejudge shows whether they hold")
