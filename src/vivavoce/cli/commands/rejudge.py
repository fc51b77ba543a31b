"""`viva rejudge`: recorded conversations, judged by the cases as they read now."""

import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from vivavoce.cli import options
from vivavoce.cli.completing import complete_run
from vivavoce.project.run_options import (
    AgentOptions,
    CaseOptions,
    ExecutionOptions,
    OutputOptions,
    ProjectOptions,
    SelectionOptions,
    TerminalOptions,
)

if TYPE_CHECKING:
    from vivavoce.app.rejudging import Rejudged
    from vivavoce.app.request import RunRequest

EPILOG = """\b
Examples:
  viva rejudge last                               the newest run, by its case files as they read now
  viva rejudge last::T003 -v                      one case, with every message
  viva rejudge out.jsonl -i tests/ -o again.html  a result file, with a report
  viva rejudge last --no-judges                   without a single call to a model
"""

_OUTPUTS = "Report: .jsonl .json .md .html .xml, or - for result lines on stdout. Repeatable. Default: no file."


@click.command("rejudge", epilog=EPILOG)
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=complete_run)
@options.named(CaseOptions, "inputs", options.WHERE_THE_CASES_ARE)
@click.option("--no-judges", is_flag=True, help="Ask no judge: checks that would need one again are broken.")
@click.option("--allow-stale", is_flag=True, help="Cases whose lines changed since do not fail the run.")
@options.named(AgentOptions, "connector")
@options.groups(SelectionOptions, OutputOptions, ProjectOptions, said={"outputs": _OUTPUTS})
@options.named(ExecutionOptions, "parallel")
@options.named(ExecutionOptions, "judge_timeout")
@options.named(ExecutionOptions, "fail_fast")
@options.named(ExecutionOptions, "maxfail")
@options.named(TerminalOptions, "verbose")
@options.named(TerminalOptions, "quiet")
@options.named(TerminalOptions, "format")
def command(runs: tuple[str, ...], no_judges: bool, allow_stale: bool, **flags: Any) -> int:
    """Judge the conversations of recorded runs again, without calling the agent.

    RUN is a result file, `last`, `last~1` or a run's id, each with `::CASE` behind it if you like; the default is the
    newest run. Scripts run again. A judge is asked again only when it would be asked something else. The reports and
    exit codes are those of viva test; nothing is kept in the history.
    """
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.event_loop import run_async

    asked = {**flags, "allow_not_run": True if allow_stale else None}
    request = RunRequest.of(asked, command=shlex.join(["viva", *sys.argv[1:]]))
    return run_async(lambda: _judged(runs, request, ask_judges=not no_judges))


async def _judged(runs: tuple[str, ...], request: "RunRequest", *, ask_judges: bool) -> int:
    from vivavoce.app.listening import Listener
    from vivavoce.app.rejudging import rejudge
    from vivavoce.cli.console import Console
    from vivavoce.cli.github_log import GitHubAnnotations, on_github, secrets_masked_in_log

    listeners: list[Listener] = [Console(), *([GitHubAnnotations()] if on_github() else [])]
    rejudged = await rejudge(
        runs, request, listeners, ask_judges=ask_judges, secrets=secrets_masked_in_log(), owns_process=True
    )
    _print_outcome(rejudged, allow_stale=request.allow_not_run, to_stderr=request.takes_stdout)
    return rejudged.outcome.exit_code


def _print_outcome(rejudged: "Rejudged", *, allow_stale: bool, to_stderr: bool) -> None:
    from vivavoce.app.rejudging import change_lines
    from vivavoce.wording.terminal_text import neutral

    click.echo("", err=to_stderr)
    for line in change_lines(rejudged, allow_stale=allow_stale):
        click.echo(neutral(line, keep_newlines=False), err=to_stderr)
