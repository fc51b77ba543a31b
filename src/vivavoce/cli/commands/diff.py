"""`viva diff`: what changed between two runs."""

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from vivavoce.cli import options
from vivavoce.containment.safe_stream import write_data
from vivavoce.project.run_options import TerminalOptions

if TYPE_CHECKING:
    from vivavoce.results.comparison.run_comparison import RunComparison

EPILOG = """\b
Examples:
  viva diff                                       the newest run against the one before it
  viva diff before.jsonl after.jsonl              two result files
  viva diff last~3 last -o diff.html              as a page to look at or to send on; also .md and .json
  viva diff main.jsonl out.jsonl --fail-on-regression        in CI: exit 1 when something broke
  viva diff main.jsonl out.jsonl --fail-on tools,cost        … or when tools are called otherwise, or a case is dearer
"""


@click.command("diff", epilog=EPILOG)
@click.argument("before", default="last~1", metavar="[A]")
@click.argument("after", default="last", metavar="[B]")
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE", help="Every change as .html, .md or .json.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option(
    "--fail-on-regression",
    is_flag=True,
    help="Exit 1 when something broke, a new case fails, B is incomplete, or cases of A are skipped or missing.",
)
@click.option(
    "--fail-on",
    "fail_on",
    multiple=True,
    metavar="WHAT",
    help="Exit 1 when this changed, also in cases that still pass: tools (calls added, dropped, changed, reordered), "
    "cost, latency, replies, or regression. Repeatable, or with commas.",
)
@click.option("--allow-missing", is_flag=True, help="With --fail-on-regression: skipped and missing cases are fine.")
@click.option(
    "--slower",
    "slower_by",
    type=click.FloatRange(min=0),
    default=50.0,
    show_default=True,
    metavar="PERCENT",
    help="A case is slower when it takes this much longer, and at least 100 ms longer.",
)
@click.option(
    "--dearer",
    "dearer_by",
    type=click.FloatRange(min=0),
    default=20.0,
    show_default=True,
    metavar="PERCENT",
    help="A case is dearer when its cost (its tokens, where no cost is known) rose by more than this.",
)
@click.option("--replies", "all_replies", is_flag=True, help="Text differences of every changed reply.")
@options.named(TerminalOptions, "format")
@options.project_options
def command(
    before: str,
    after: str,
    outputs: tuple[str, ...],
    as_json: bool,
    fail_on_regression: bool,
    fail_on: tuple[str, ...],
    allow_missing: bool,
    slower_by: float,
    dearer_by: float,
    all_replies: bool,
    format: str | None,  # noqa: A002 - as the flag is called
    config: str | None,
) -> int:
    """Compare two runs: result files, `last`, `last~N`, or run ids as `viva history` lists them.

    A case that passed and does not any more is a new failure. Where cases ran several times, better and worse pass
    rates are only called so when chance would hardly bring them (Fisher's exact test, 5 %).
    """
    from vivavoce.app.opening import open_project
    from vivavoce.app.outputs import write_named_file
    from vivavoce.errors import EXIT_FAILED, EXIT_PASSED
    from vivavoce.results.comparison.changes import Thresholds
    from vivavoce.results.comparison.gates import objections, parse_gates
    from vivavoce.results.comparison.json_text import comparison_json
    from vivavoce.results.comparison.run_comparison import compare_runs
    from vivavoce.results.stored_runs import open_run
    from vivavoce.sources.overwriting import refuse_losing_cases

    gates = parse_gates((*fail_on, *(["regression"] if fail_on_regression else [])))
    writers = [(Path(output), _writer(output)) for output in outputs]
    refuse_losing_cases(outputs)
    project = open_project(config)
    limits = Thresholds(slower_by_percent=slower_by, dearer_by_percent=dearer_by)
    found = compare_runs(open_run(before, project), open_run(after, project), limits)
    if as_json:
        for piece in comparison_json(found):
            write_data(sys.stdout, piece.decode())
    elif format == "agent":
        _print_for_agents(found)
    else:
        _print(found, all_replies=all_replies)
    for name, run in ((before, found.kept_before), (after, found.kept_after)):
        for warning in run.summary.warnings:
            click.echo(f"viva: warning: {name}: {warning}", err=True)
    for path, write in writers:
        write_named_file(path, partial(write, found))
        click.echo(f"written to {path}", err=as_json)
    objected = objections(found, gates, allow_missing=allow_missing)
    for objection in objected:
        click.echo(objection, err=as_json)
    return EXIT_FAILED if objected else EXIT_PASSED


def _print(found: "RunComparison", *, all_replies: bool) -> None:
    from vivavoce.reporters.terminal.comparison import comparison_lines
    from vivavoce.reporters.terminal.style import Look, console_style, console_width, for_encoding

    style = console_style(os.environ, sys.stdout.isatty())
    look = Look(width=console_width(os.environ, sys.stdout.isatty()), color=style.color)
    for line in comparison_lines(found, look, all_replies=all_replies):
        click.echo(for_encoding(line, sys.stdout.encoding), color=style.color)


def _print_for_agents(found: "RunComparison") -> None:
    from vivavoce.reporters.agent_comparison import comparison_blocks

    for line in comparison_blocks(found):
        click.echo(line)


def _writer(output: str) -> "Callable[[RunComparison, TextIO], None]":
    """What writes a comparison in the format of this file's suffix. Raises UsageError where there is none."""
    from vivavoce.errors import UsageError
    from vivavoce.reporters.comparison_markdown import write_comparison_markdown
    from vivavoce.reporters.formats import format_of
    from vivavoce.reporters.html.comparison_page import write_comparison

    writers: dict[str, Callable[[RunComparison, TextIO], None]] = {
        "html": write_comparison,
        "markdown": write_comparison_markdown,
        "json": _write_json,
    }
    kind = format_of(output)
    if kind not in writers:
        raise UsageError(f"no comparison format for {output}", at="-o", hint="use .html, .md or .json")
    return writers[kind]


def _write_json(found: "RunComparison", out: "TextIO") -> None:
    from vivavoce.results.comparison.json_text import comparison_json

    out.writelines(piece.decode() for piece in comparison_json(found))
