"""`viva mutate`: would the tests notice if the agent had done something else?"""

import shlex
import sys
from typing import TYPE_CHECKING, Any

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
"""


@click.command("mutate", short_help="would the tests notice a bug? changes recorded conversations", epilog=EPILOG)
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=complete_run)
@options.named(CaseOptions, "inputs")
@click.option("--judges", is_flag=True, help="Ask judges too; by default nobody is asked.")
@click.option("--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="Exit 1 below this score.")
@options.named(AgentOptions, "connector")
@options.groups(SelectionOptions, ProjectOptions)
@options.named(TerminalOptions, "format")
def command(runs: tuple[str, ...], judges: bool, fail_under: float | None, **flags: Any) -> int:
    """Change each recorded conversation in one way at a time and judge it again, without calling the agent.

    A change that no check of the case notices survives; it is listed with a check that would notice it. The score is
    the share of changes that were noticed. A call too many, a slow turn, a secret or the system prompt in a reply count
    only where a check sets a limit for them. The same --seed makes the same changes.
    """
    from vivavoce.app.mutating import mutate
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.event_loop import run_async
    from vivavoce.errors import EXIT_FAILED, EXIT_PASSED

    request = RunRequest.of(flags, command=shlex.join(["viva", *sys.argv[1:]]))

    async def scored() -> int:
        report = await mutate(runs, request, judges=judges)
        _print(report, for_agents=flags.get("format") == "agent")
        return EXIT_FAILED if fail_under is not None and (report.counts.percent or 0.0) < fail_under else EXIT_PASSED

    return run_async(scored)


def _print(report: "MutationReport", *, for_agents: bool) -> None:
    from vivavoce.insight.mutants.words import agent_lines, report_lines
    from vivavoce.reporters.terminal.style import for_encoding
    from vivavoce.wording.terminal_text import neutral

    for line in agent_lines(report) if for_agents else report_lines(report):
        click.echo(for_encoding(neutral(line, keep_newlines=False), sys.stdout.encoding))
