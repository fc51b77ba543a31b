"""`viva diff`: what changed between two runs."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vivavoce.cli import options
from vivavoce.containment.terminal_door import write_data
from vivavoce.project.run_options import TerminalOptions

if TYPE_CHECKING:
    from vivavoce.results.comparison.run_comparison import RunComparison

EPILOG = """\b
Examples:
  viva diff                                       the newest run against the one before it
  viva diff before.jsonl after.jsonl              two result files
  viva diff last~3 last -o diff.html              as a page to look at or to send on
  viva diff main.jsonl out.jsonl --fail-on-regression        in CI: exit 1 when something broke
"""


@click.command("diff", short_help="compare two runs: what broke, what was fixed", epilog=EPILOG)
@click.argument("before", default="last~1", metavar="[A]")
@click.argument("after", default="last", metavar="[B]")
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE.html", help="A page with every change.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
@click.option(
    "--fail-on-regression",
    is_flag=True,
    help="Exit 1 when something broke, a new case fails, B is incomplete, or cases of A are skipped or missing.",
)
@click.option("--allow-missing", is_flag=True, help="With --fail-on-regression: skipped and missing cases are fine.")
@click.option(
    "--slower",
    "slower_by",
    type=click.FloatRange(min=0),
    default=50.0,
    show_default=True,
    metavar="PERCENT",
    help="A case is slower when it takes so much longer, and at least 100 ms.",
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
    allow_missing: bool,
    slower_by: float,
    all_replies: bool,
    format: str | None,  # noqa: A002 - as the flag is called
    config: str | None,
) -> int:
    """Compare two runs: result files, `last`, `last~N`, or run ids as `viva history` lists them.

    A case that passed and does not any more is a new failure. Where cases ran several times, better and worse pass
    rates are only called so when chance would hardly bring them (Fisher's exact test, 5 %).
    """
    import msgspec

    from vivavoce.app.opening import open_project
    from vivavoce.errors import EXIT_FAILED, EXIT_PASSED
    from vivavoce.results.comparison.run_comparison import compare_runs
    from vivavoce.results.stored_runs import open_run

    _check_outputs(outputs)
    project = open_project(config)
    found = compare_runs(open_run(before, project), open_run(after, project), slower_by_percent=slower_by)
    if as_json:
        write_data(sys.stdout, msgspec.json.format(msgspec.json.encode(found.as_data()), indent=2).decode() + "\n")
    elif format == "agent":
        _print_for_agents(found)
    else:
        _print(found, all_replies=all_replies)
    for name, run in ((before, found.kept_before), (after, found.kept_after)):
        for warning in run.summary.warnings:
            click.echo(f"viva: warning: {name}: {warning}", err=True)
    for output in outputs:
        _write_page(found, Path(output))
        click.echo(f"written to {output}", err=as_json)
    worse = found.regressed or (found.lost > 0 and not allow_missing)
    return EXIT_FAILED if fail_on_regression and worse else EXIT_PASSED


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


def _check_outputs(outputs: tuple[str, ...]) -> None:
    from vivavoce.errors import UsageError
    from vivavoce.reporters.formats import format_of

    for output in outputs:
        if format_of(output) != "html":
            raise UsageError(f"no comparison format for {output}", at="-o", hint="use .html, or --json for data")


def _write_page(found: "RunComparison", path: Path) -> None:
    from io import StringIO

    from vivavoce.app.outputs import write_whole
    from vivavoce.errors import VivaError
    from vivavoce.reporters.html.comparison_page import write_comparison

    text = StringIO()
    write_comparison(found, text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(text.getvalue(), path)
    except OSError as error:
        raise VivaError(f"cannot write {path}: {error.strerror}", at="-o") from None
