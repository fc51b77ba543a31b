"""`viva fuzz`: variants of cases that an agent must handle."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from vivavoce.cli import options
from vivavoce.project.run_options import (
    AgentOptions,
    ExecutionOptions,
    OutputOptions,
    ProjectOptions,
    SelectionOptions,
)

if TYPE_CHECKING:
    from vivavoce.app.fuzzing import FuzzOptions
    from vivavoce.app.request import RunRequest

EPILOG = """\b
Examples:
  viva fuzz -i tests/ -n shop                          200 variants of the cases
  viva fuzz -i tests/ --operators typos,case,emoji     these operators only
  viva fuzz -i tests/ --operators hostile --seed 7 -j 8 -o robustness.md
  viva fuzz --list-operators
"""


def _list_operators(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    from vivavoce.insight.fuzzing.variants import OPERATORS

    for one in OPERATORS:
        click.echo(f"{one.name:20} {one.kind:8} {one.about}")
    click.echo(f"{'paraphrase':20} {'meaning':8} Other words for the same, by the agent of --paraphraser")
    ctx.exit(0)


@click.command("fuzz", epilog=EPILOG)
@options.source_options
@click.option("--variants", type=click.IntRange(1), default=200, metavar="N", help="Run at most N variants [200].")
@click.option("--operators", multiple=True, metavar="NAME,…", help="Only these operators or kinds. Repeatable.")
@click.option("--paraphraser", metavar="AGENT", help="An agent that says the lines in other words.")
@click.option(
    "--save", default="fuzz-finds.jsonl", metavar="FILE.jsonl", help="Finds are added to it [fuzz-finds.jsonl]."
)
@click.option(
    "--candidates", type=click.IntRange(1), default=60, metavar="N", help="Shrink each find with at most N tries [60]."
)
@click.option(
    "--list-operators",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_operators,
    help="List the operators and exit.",
)
@options.groups(AgentOptions, SelectionOptions, said={"seed": "Seed of the variants, and of --sample [0]."})
@options.named(ExecutionOptions, "runs", "Run every variant N times [1].")
@options.named(ExecutionOptions, "parallel")
@options.named(ExecutionOptions, "timeout")
@options.named(ExecutionOptions, "judge_timeout")
@options.named(
    ExecutionOptions,
    "budget",
    "Begin nothing beyond this (2.50usd, 2.50€, 200000tok); shrinking and paraphrases count too.",
)
@options.named(ExecutionOptions, "time_limit", "Begin nothing after this time; the finds so far are saved.")
@options.named(ExecutionOptions, "retries")
@options.named(OutputOptions, "outputs", "The table and the finds as .json or .md. Repeatable.")
@options.groups(ProjectOptions)
def command(
    variants: int, operators: tuple[str, ...], paraphraser: str | None, save: str, candidates: int, **flags: Any
) -> int:
    """Change the lines of your cases and see whether the agent still does what it should.

    A line that means the same must pass the checks of its case. A hostile line must break no universal rule: no error,
    no timeout, no forbidden tool, no secret and no system prompt said, valid arguments; and none of `fuzz.rules` in
    viva.yaml. The same --seed gives the same variants. Finds are shrunk and saved as cases. Exit code 1 on finds.
    """
    from vivavoce.app.found_cases import check_case_file
    from vivavoce.app.fuzz_report import refuse_other_formats
    from vivavoce.app.fuzzing import FuzzOptions
    from vivavoce.app.outputs import check_writable
    from vivavoce.app.request import RunRequest
    from vivavoce.cli.event_loop import run_async
    from vivavoce.sources.overwriting import refuse_losing_cases

    request = RunRequest.of(flags, command=shlex.join(["viva", *sys.argv[1:]]), reads_stdin=True)
    outputs = request.output_paths
    refuse_other_formats(outputs)
    refuse_losing_cases(outputs)
    check_case_file(Path(save), "--save")
    for output in outputs:
        check_writable(Path(output))
    asked = FuzzOptions(operators=operators, variants=variants, paraphraser=paraphraser, candidates=candidates)
    return run_async(lambda: _fuzzed(request.replaced(outputs=()), asked, Path(save), outputs))


async def _fuzzed(request: "RunRequest", asked: "FuzzOptions", save: Path, outputs: tuple[str, ...]) -> int:
    from vivavoce.app.find_shrinking import save_find
    from vivavoce.app.fuzz_report import find_lines, note_lines, table_lines, write_reports
    from vivavoce.app.fuzzing import fuzz
    from vivavoce.cli.github_log import secrets_masked_in_log
    from vivavoce.cli.progress_line import ProgressLine
    from vivavoce.errors import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_PASSED
    from vivavoce.wording.plurals import counted
    from vivavoce.wording.terminal_text import neutral

    progress = ProgressLine()
    fuzzed = await fuzz(
        request,
        asked,
        lambda what, done, of: progress.show(f"{what}: {done} of {of}"),
        secrets=secrets_masked_in_log(),
        owns_process=True,
    )
    progress.clear()
    saved = [shlex.quote(f"{save}::{save_find(find, save).id}") for find in fuzzed.finds]
    lines = [*table_lines(fuzzed.scores), ""]
    for find, where in zip(fuzzed.finds, saved, strict=True):
        lines += [*find_lines(find, where), ""]
    lines += note_lines(fuzzed)
    tried = sum(score.judged for score in fuzzed.scores)
    left = f", {fuzzed.not_run} not run" if fuzzed.not_run else ""
    lines.append(f"{counted(len(fuzzed.finds), 'find')} in {counted(tried, 'variant')}{left} (--seed {fuzzed.seed})")
    for line in lines:
        click.echo(neutral(line, keep_newlines=False))
    write_reports(fuzzed, saved, outputs)
    if fuzzed.interrupted:
        return EXIT_INTERRUPTED
    return EXIT_FAILED if fuzzed.finds or fuzzed.unclear or not tried else EXIT_PASSED
