"""`viva label`: people say of recorded conversations whether they are good, one by one."""

from typing import TYPE_CHECKING

import click

from vivavoce.cli import options
from vivavoce.cli.completing import complete_run

if TYPE_CHECKING:
    from pathlib import Path

    from vivavoce.app.labelling import OpenQuestions

EPILOG = """\b
Examples:
  viva label last                          asks about each conversation; quit at any time, go on later
  viva label last --sample 50              fifty of them, drawn by chance
  viva label out.jsonl --criteria          asks about each criterion of the judges by itself
  viva label last --set T003=fail          without asking
"""


@click.command("label", epilog=EPILOG)
@click.argument("runs", nargs=-1, metavar="[RUN]...", shell_complete=complete_run)
@click.option("--labels", metavar="FILE", help="The file of labels. Default: labels.yaml in the project.")
@click.option("--criteria", is_flag=True, help="Ask about each criterion that a judge judged, not about the whole.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Ask about N of them only, drawn at random.")
@click.option("--seed", type=int, default=0, metavar="S", help="Seed of --sample. Default: 0.")
@click.option("--verdicts", is_flag=True, help="Show what the checks and judges said, too: it sways people.")
@click.option("--set", "wanted", multiple=True, metavar="CASE=pass|fail", help="Label without asking. Repeatable.")
@click.option("--note", metavar="TEXT", help="With --set: why.")
@options.project_options
def command(
    runs: tuple[str, ...],
    labels: str | None,
    criteria: bool,
    sample: int | None,
    seed: int,
    verdicts: bool,
    wanted: tuple[str, ...],
    note: str | None,
    config: str | None,
) -> int:
    """Label recorded conversations as pass or fail; viva calibrate compares judges with it.

    RUN is a result file, `last`, `last~1` or a run's id, each with `::CASE` behind it if you like; the default is the
    newest run. Every answer is kept at once; what has a label is not asked again.
    """
    from vivavoce.app.labelling import OpenQuestions, questions, set_without_asking
    from vivavoce.app.opening import open_project
    from vivavoce.cli.event_loop import run_async
    from vivavoce.errors import EXIT_PASSED, UsageError
    from vivavoce.insight.calibration.labels import add_labels, labels_path, read_labels
    from vivavoce.results.recorded_runs import recorded_runs
    from vivavoce.wording.plurals import counted

    if note and not wanted:
        raise UsageError("--note belongs to --set", hint="at the terminal, answer `note`")
    project = open_project(config)
    path = labels_path(labels, project)
    known = read_labels(path, must_exist=False)
    recorded = recorded_runs(runs, project)
    todo = OpenQuestions(lambda: questions(recorded, by_criterion=criteria), known, sample=sample, seed=seed)
    for problem in recorded.problems:
        click.echo(f"viva: warning: {problem}", err=True)
    if not todo.found:
        what = "no judge was asked in it" if criteria else "nothing was said in it"
        raise UsageError(f"there is nothing to label: {what}", at=", ".join(runs) or "last")
    if wanted:
        made = set_without_asking(wanted, questions(recorded, by_criterion=criteria), note)
        add_labels(path, made)
        click.echo(f"{project.shown(path)}: {counted(len(made), 'label')} set")
        return EXIT_PASSED
    return run_async(lambda: _ask(todo, path, verdicts=verdicts))


async def _ask(todo: "OpenQuestions", path: "Path", *, verdicts: bool) -> int:
    from vivavoce.cli.asking import terminal_for
    from vivavoce.cli.label_asking import ask_labels
    from vivavoce.errors import EXIT_PASSED
    from vivavoce.insight.calibration.labels import add_labels

    terminal = terminal_for("viva label", instead="label without asking: --set CASE=pass")
    click.echo(await ask_labels(todo, terminal, keep=lambda label: add_labels(path, [label]), with_verdicts=verdicts))
    return EXIT_PASSED
