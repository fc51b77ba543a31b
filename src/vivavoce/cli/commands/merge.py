"""`viva merge`: the result files of a split run become one."""

import shlex
import sys
from pathlib import Path

import click

from vivavoce.cli import options
from vivavoce.project.run_options import TerminalOptions

EPILOG = """\b
Examples:
  viva merge shard-*.jsonl -o all.jsonl -o report.html
  viva merge first.jsonl again.jsonl --last-wins -o all.jsonl
  viva merge shard-*.jsonl                        only the summary and the exit code
"""


@click.command("merge", epilog=EPILOG)
@click.argument("results", metavar="RESULTS.jsonl...", nargs=-1, required=True)
@click.option(
    "-o", "--output", "outputs", multiple=True, metavar="FILE", help="Report: .jsonl .json .md .html .xml. Repeatable."
)
@click.option("--last-wins", is_flag=True, help="Of two results of a case, the one in the later file counts.")
@options.named(TerminalOptions, "format")
def command(results: tuple[str, ...], outputs: tuple[str, ...], last_wins: bool, format: str | None) -> int:  # noqa: A002
    """Merge result files, as of the shards of a CI matrix, into one run.

    The exit code is that of the whole: 0 only when every case of every shard was run and passed. A shard that is
    missing, given twice or of another split is named.
    """
    from vivavoce.app.opening import open_project
    from vivavoce.app.outputs import check_writable, write_document
    from vivavoce.errors import UsageError, VivaError, exit_code_of
    from vivavoce.plugins.catalog import JOURNAL_SUFFIX, REPORTS
    from vivavoce.reporters.formats import TEXT, document_suffixes, format_of, no_format
    from vivavoce.results.merging import merge
    from vivavoce.sources.overwriting import refuse_losing_cases

    inputs = [Path(path) for path in results]
    if taken := {path.resolve() for path in inputs} & {Path(path).resolve() for path in outputs}:
        raise UsageError(f"{taken.pop().name} is one of the files to merge", at="-o", hint="write to another file")
    refuse_losing_cases(outputs)
    if any(format_of(path) == TEXT for path in outputs):
        open_project(None)  # its plug-ins may bring the format
    for path in outputs:
        if format_of(path) == TEXT:
            raise no_format(path, [JOURNAL_SUFFIX, *document_suffixes()])
        check_writable(Path(path))
    merged = merge(inputs, last_wins=last_wins, command=shlex.join(["viva", *sys.argv[1:]]))
    for warning in merged.summary.warnings:
        click.echo(f"viva: {warning}", err=True)
    report = merged.report()
    for path in outputs:
        try:
            write_document(format_of(path), report, Path(path))
        except OSError as error:
            raise VivaError(f"cannot write {path}: {error.strerror or error}", at="-o") from None
    REPORTS.load("agent" if format == "agent" else "summary").writer(report, sys.stdout)
    for path in outputs:
        click.echo(f"written to {path}")
    return exit_code_of(merged.summary)
