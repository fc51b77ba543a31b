"""`viva report`: any report again, from a result file."""

import sys
from pathlib import Path

import click

EPILOG = """\b
Examples:
  viva report output.jsonl -o report.html
  viva report output.jsonl -o report.md -o junit.xml
  viva report output.jsonl                        the brief summary
"""


@click.command("report", short_help="make any report again from a result file", epilog=EPILOG)
@click.argument("results", metavar="RESULTS.jsonl")
@click.option(
    "-o", "--output", "outputs", multiple=True, metavar="FILE", help="Report: .json .md .html .xml. Repeatable."
)
def command(results: str, outputs: tuple[str, ...]) -> int:
    """Make reports again from a .jsonl result file, also from one that a killed run left half-written."""
    from vivavoce.app.outputs import write_document
    from vivavoce.errors import UsageError, VivaError
    from vivavoce.plugins.catalog import DOCUMENTS
    from vivavoce.reporters.formats import format_of
    from vivavoce.results.result_file import read_result_file

    found = read_result_file(results)
    for problem in found.problems:
        click.echo(f"viva: {problem}", err=True)
    report = found.report()
    for output in outputs:
        kind = format_of(output)
        if kind not in DOCUMENTS:
            raise UsageError(f"no report format for {output}", at="-o", hint="use .json .md .html or .xml")
        try:
            write_document(kind, report, Path(output))
        except OSError as error:
            raise VivaError(f"cannot write {output}: {error.strerror}", at="-o") from None
        click.echo(f"written to {output}")
    if not outputs:
        DOCUMENTS.load("summary")(report, sys.stdout)
    return 0
