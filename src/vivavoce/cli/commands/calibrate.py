"""`viva calibrate`: how far judges agree with people."""

import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from vivavoce.cli import options
from vivavoce.cli.completing import complete_run
from vivavoce.project.run_options import AgentOptions, CaseOptions, ExecutionOptions, ProjectOptions

if TYPE_CHECKING:
    from vivavoce.app.calibrating import Calibration

EPILOG = """\b
Examples:
  viva calibrate last                               the judges of the newest run beside labels.yaml
  viva calibrate last --again 5                     asks them five more times: noise or bias?
  viva calibrate out.jsonl --min-kappa 0.6 -o judges.md
"""


@click.command("calibrate", epilog=EPILOG)
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=complete_run)
@click.option("--labels", metavar="FILE", help="The file of labels. Default: labels.yaml in the project.")
@click.option("--again", type=click.IntRange(1, 99), metavar="K", help="Ask each judge K more times.")
@click.option("--min-kappa", type=click.FloatRange(-1, 1), metavar="K", help="Exit 1 when a judge has a lower kappa.")
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE", help="FILE.json or FILE.md. Repeatable.")
@options.named(CaseOptions, "inputs", options.WHERE_THE_CASES_ARE)
@options.named(AgentOptions, "connector")
@options.named(ExecutionOptions, "parallel", "Judges asked at once [1].")
@options.named(ExecutionOptions, "judge_timeout")
@options.groups(ProjectOptions)
def command(
    runs: tuple[str, ...],
    labels: str | None,
    again: int | None,
    min_kappa: float | None,
    outputs: tuple[str, ...],
    **flags: Any,
) -> int:
    """Compare the verdicts of judges in recorded runs with what people said about the same conversations.

    For each judge and criterion: agreement, Cohen's kappa with its interval, who is wrong in which direction, and for
    scores the threshold that agrees best. Nobody is asked, unless --again says so.
    """
    from vivavoce.app.calibrating import calibrate, refuse_other_formats, write_calibration
    from vivavoce.app.opening import open_project
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.event_loop import run_async
    from vivavoce.cli.github_log import secrets_masked_in_log
    from vivavoce.cli.progress_line import ProgressLine
    from vivavoce.insight.calibration.labels import labels_path, read_labels
    from vivavoce.wording.plurals import counted

    refuse_other_formats(outputs)
    request = RunRequest.of(flags, command=shlex.join(["viva", *sys.argv[1:]]))
    project = open_project(request.config_path)
    known = read_labels(labels_path(labels, project))

    async def compare() -> int:
        line = ProgressLine()
        found = await calibrate(
            runs,
            known,
            project,
            request,
            again=again or 0,
            secrets=secrets_masked_in_log(),
            announce=lambda words: click.echo(words, err=True),
            on_answer=lambda done, of: line.show(f"{done:,} of {counted(of, 'answer')}"),
            owns_process=True,
        )
        line.clear()
        write_calibration(found, outputs, project)
        return _print_outcome(found, min_kappa)

    return run_async(compare)


def _print_outcome(found: "Calibration", min_kappa: float | None) -> int:
    from vivavoce.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_PASSED
    from vivavoce.insight.calibration.wording import measure_lines, title
    from vivavoce.wording.plurals import counted
    from vivavoce.wording.terminal_text import one_line

    for measure in found.measures:
        click.echo(title(measure))
        for line in measure_lines(measure):
            click.echo(f"  {one_line(line)}")
    for note in found.notes:
        click.echo(one_line(f"note: {note}"))
    below = [] if min_kappa is None else found.below(min_kappa)
    for measure in below:
        kappa = "no kappa" if measure.kappa is None else f"kappa {measure.kappa:.2f}"
        click.echo(one_line(f"{title(measure)}: {kappa}, wanted at least {min_kappa:g}"))
    if found.interrupted:
        return EXIT_INTERRUPTED
    is_damaged = min_kappa is not None and found.unreadable > 0
    if is_damaged:
        lines = counted(found.unreadable, "line")
        click.echo(f"FAIL: {lines} of the recording cannot be read: the figures are about the rest")
    return EXIT_FAILED if below or is_damaged else EXIT_PASSED
