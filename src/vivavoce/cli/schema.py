"""`viva schema`: what editors need to complete and check files."""

import sys

import click
import msgspec

EPILOG = """\b
Examples:
  viva schema case > case.schema.json
  viva schema config > viva.schema.json
"""


@click.command("schema", epilog=EPILOG)
@click.argument("what", type=click.Choice(["case", "config"]))
def command(what: str) -> int:
    """Print the JSON Schema of a case or of viva.yaml."""
    from vivavoce.sources.schema import case_schema, config_schema

    schema = case_schema() if what == "case" else config_schema()
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n")
    return 0
