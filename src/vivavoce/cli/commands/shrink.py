"""`viva shrink`: the smallest conversation that still fails the same way."""

import shlex
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vivavoce.cli import options
from vivavoce.cli.completing import complete_run
from vivavoce.cli.progress_line import ProgressLine
from vivavoce.project.run_options import AgentOptions, CaseOptions, ExecutionOptions, ProjectOptions

if TYPE_CHECKING:
    from vivavoce.app.candidates import CandidateLimits
    from vivavoce.app.request import RunRequest
    from vivavoce.app.shrinking import Shrinking, Step

EPILOG = """\b
Examples:
  viva shrink last::T003                     the case that failed in the newest run
  viva shrink out.jsonl::T003 -o small.jsonl
  viva shrink last::T003 --runs 5            it fails only sometimes: each candidate runs 5 times
"""


@click.command("shrink", epilog=EPILOG)
@click.argument("run", metavar="RUN::CASE", shell_complete=complete_run)
@click.option(
    "-o", "--output", metavar="FILE.jsonl", help="Where the case goes; it is appended. Default: ID-shrunk.jsonl"
)
@options.named(ExecutionOptions, "runs", "Hold each conversation N times [1; 5 for a case that failed only sometimes].")
@click.option(
    "--min-fail", type=click.IntRange(1), default=1, metavar="N", help="It must fail in at least N of these runs [1]."
)
@click.option(
    "--candidates", type=click.IntRange(1), default=200, metavar="N", help="Hold at most N conversations [200]."
)
@options.named(ExecutionOptions, "time_limit", "Stop after this time; the smallest case so far is written.")
@options.named(CaseOptions, "inputs", options.WHERE_THE_CASES_ARE)
@options.groups(AgentOptions)
@options.named(ExecutionOptions, "parallel", "How many runs of a conversation go on at once [1].")
@options.named(ExecutionOptions, "timeout")
@options.named(ExecutionOptions, "judge_timeout")
@options.named(
    ExecutionOptions, "budget", "Stop when this is spent (2.50usd, 200000tok); the smallest case so far is written."
)
@options.named(ExecutionOptions, "retries")
@options.groups(ProjectOptions)
def command(run: str, output: str | None, min_fail: int, candidates: int, **flags: Any) -> int:
    """Call the agent again with less and less of a failed conversation, as long as the same check fails.

    Takes out turns, then sentences, attachments, earlier messages and words. RUN is a result file, `last`, `last~1` or
    a run's id. Writes a case file that viva test runs. Exit codes: 0 a smallest case was written, 1 the conversation
    did not fail again, 130 after Ctrl-C (the smallest case so far is written).
    """
    from vivavoce.app.candidates import CandidateLimits
    from vivavoce.app.found_cases import check_case_file
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.event_loop import run_async
    from vivavoce.errors import UsageError

    request = RunRequest.of(flags, command=shlex.join(["viva", *sys.argv[1:]]))
    runs = max(request.runs, min_fail) if "runs" not in request.given else request.runs
    if min_fail > runs:
        raise UsageError(
            f"a candidate cannot fail {min_fail} times in {runs} runs", at="--min-fail", hint="raise --runs"
        )
    if output is not None:
        check_case_file(Path(output), "-o")
    limits = CandidateLimits(runs=runs, min_fail=min_fail, most=candidates, time_limit_s=request.time_limit_s)
    return run_async(lambda: _shrunk(run, request, limits, output))


async def _shrunk(run: str, request: "RunRequest", limits: "CandidateLimits", output: str | None) -> int:
    from vivavoce.app.shrinking import shrink_recorded
    from vivavoce.app.shrunk_file import write_shrunk
    from vivavoce.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_PASSED
    from vivavoce.wording.plurals import counted
    from vivavoce.wording.terminal_text import one_line

    line = ProgressLine()
    found = await shrink_recorded(run, request, limits, partial(_show, line), owns_process=True)
    line.clear()
    click.echo()
    if found.smallest is None or found.counted is None:
        if found.interrupted:
            click.echo(f"{found.start.id} was not repeated to its end ({found.now}): nothing was written")
            return EXIT_INTERRUPTED
        click.echo(f"{found.start.id} did not fail again in the same way: {one_line(found.now)}")
        click.echo(f"  it was: {one_line(found.error)}")
        return EXIT_FAILED
    path, saved = write_shrunk(found, run, output)
    click.echo(f"{_size(found)} after {counted(found.tried, 'conversation')}; it failed in {found.counted.words}:")
    click.echo(f"  {one_line(found.error)}")
    if found.stopped_by is not None:
        click.echo(f"stopped early, it may not be the smallest: {found.stopped_by}")
    click.echo(f"\nviva test -i {shlex.quote(f'{path}::{saved.id}')}")
    return EXIT_INTERRUPTED if found.interrupted else EXIT_PASSED


def _size(found: "Shrinking") -> str:
    from vivavoce.app.shrunk_file import size_of

    assert found.smallest is not None
    return f"{size_of(found.start)} → {size_of(found.smallest)}"


def _show(line: ProgressLine, step: "Step") -> None:
    """One line for each candidate that still fails; on a terminal the others are shown and overwritten."""
    from vivavoce.app.shrunk_file import size_of

    if step.counted is None:
        line.show(f"{step.number:4}  does not fail with {size_of(step.case)}")
    else:
        line.clear()
        click.echo(f"{step.number:4}  fails with {size_of(step.case)}")
