"""`viva plugins`: what other packages and the project's own files add, and whether it works."""

import sys

import click

from vivavoce.cli import options
from vivavoce.containment.safe_stream import write_data

EPILOG = """\b
Examples:
  viva plugins
  viva plugins --json
"""


@click.command("plugins", epilog=EPILOG)
@options.project_options
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def command(config: str | None, as_json: bool) -> int:
    """List all plug-ins, where each comes from and what is broken. Exit 2 when one cannot be used."""
    import msgspec

    from vivavoce.app.opening import open_project
    from vivavoce.errors import EXIT_PASSED, EXIT_USAGE, Problems
    from vivavoce.plugins.catalog import ALL

    problems = Problems()
    with problems:
        open_project(config)  # loads the project's own plug-ins; those that work are listed all the same
    found = [row for registry in ALL for row in registry.plugins()]
    if as_json:
        rows = [{**msgspec.to_builtins(plugin), "problem": problem or None} for plugin, problem in found]
        write_data(sys.stdout, msgspec.json.format(msgspec.json.encode(rows), indent=2).decode() + "\n")
    else:
        for plugin, problem in found:
            source = f"{plugin.source} {plugin.version}".rstrip()
            click.echo(f"{plugin.group}  {plugin.name}  ({source})  {'ok' if not problem else 'broken'}")
            if problem:
                click.echo(f"    {problem}")
        if not found and not problems.found:
            click.echo("no plug-ins: only what is built in (docs/extending.md shows how to write one)")
    problems.raise_any()
    return EXIT_USAGE if any(problem for _, problem in found) else EXIT_PASSED
