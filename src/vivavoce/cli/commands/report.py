"""`viva report`: any report again, from a result file."""

import sys
from pathlib import Path

import click

from vivavoce.cli import options
from vivavoce.project.run_options import TerminalOptions

EPILOG = """\b
Examples:
  viva report output.jsonl -o report.html
  viva report output.jsonl -o report.md -o junit.xml
  viva report output.jsonl                        the brief summary
"""


@click.command("report", epilog=EPILOG)
@click.argument("results", metavar="RESULTS.jsonl")
@click.option(
    "-o", "--output", "outputs", multiple=True, metavar="FILE", help="Report: .json .md .html .xml. Repeatable."
)
@options.named(TerminalOptions, "format")
@options.project_options
def command(results: str, outputs: tuple[str, ...], format: str | None, config: str | None) -> int:  # noqa: A002
    """Make reports again from a .jsonl result file, also from one that a killed run left half-written."""
    from vivavoce.app.opening import open_project
    from vivavoce.app.outputs import write_document
    from vivavoce.errors import VivaError
    from vivavoce.plugins.catalog import REPORTS
    from vivavoce.reporters.formats import TEXT, document_suffixes, format_of, no_format
    from vivavoce.results.result_file import read_result_file
    from vivavoce.sources.overwriting import refuse_losing_cases

    if any(format_of(output) == TEXT for output in outputs):
        open_project(config)  # its plug-ins may bring the format
    found = read_result_file(results)
    refuse_losing_cases(outputs)
    for problem in found.problems:
        click.echo(f"viva: {problem}", err=True)
    report = found.report()
    for output in outputs:
        kind = format_of(output)
        if kind not in REPORTS:
            raise no_format(output, document_suffixes())
        try:
            write_document(kind, report, Path(output))
        except OSError as error:
            raise VivaError(f"cannot write {output}: {error.strerror}", at="-o") from None
        click.echo(f"written to {output}")
    if not outputs:
        REPORTS.load("agent" if format == "agent" else "summary").writer(report, sys.stdout)
    return 0
