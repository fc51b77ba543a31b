"""`viva schema`: what editors need to complete and check files."""

import sys

import click

from vivavoce.containment.safe_stream import write_data

EPILOG = """\b
Examples:
  viva schema case > case.schema.json
  viva schema config > viva.schema.json
  viva schema report > report.schema.json
"""


@click.command("schema", epilog=EPILOG)
@click.argument("what", type=click.Choice(["case", "config", "report", "result"]))
def command(what: str) -> int:
    """Print the JSON Schema of a case, of viva.yaml, of the .json report, or of a line of a .jsonl result file."""
    import msgspec

    from vivavoce.results.report_schema import report_schema, result_file_schema
    from vivavoce.sources.schema import case_schema, config_schema

    _load_plugins()
    schemas = {"case": case_schema, "config": config_schema, "report": report_schema, "result": result_file_schema}
    write_data(sys.stdout, msgspec.json.format(msgspec.json.encode(schemas[what]()), indent=2).decode() + "\n")
    return 0


def _load_plugins() -> None:
    """Loads what the project around here adds. Without it there is still the schema of everything else."""
    from vivavoce.app.opening import open_project
    from vivavoce.errors import UsageError

    try:
        open_project(None)
    except UsageError as problem:
        click.echo(f"viva: {problem}\nviva: the schema knows nothing of this project's plug-ins", err=True)
