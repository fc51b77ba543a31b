"""`viva agents`: what is found, and how each resolves."""

from typing import Any

import click

from vivavoce.cli import options
from vivavoce.containment.safe_stream import write_data


@click.command("agents", epilog="Example:\n\n  viva agents")
@options.project_options
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def command(config: str | None, as_json: bool) -> int:
    """List the agents of this project and how each one resolves. Calls none of them."""
    import sys

    import msgspec

    from vivavoce.app.opening import open_project
    from vivavoce.engine.resolve import known_agents
    from vivavoce.engine.wiring import RunResources, RunSettings
    from vivavoce.errors import EXIT_PASSED, EXIT_USAGE, UsageError

    project = open_project(config)
    resources = RunResources(project, RunSettings())
    rows: list[dict[str, Any]] = []
    for name in known_agents(project) + (["target"] if project.config.target else []):
        try:
            rows.append(msgspec.to_builtins(resources.target(name).card))
        except UsageError as problem:
            rows.append({"id": name, "kind": "?", "problem": str(problem)})
    rows = resources.secrets.masked(rows)
    if as_json:
        write_data(sys.stdout, msgspec.json.format(msgspec.json.encode(rows), indent=2).decode() + "\n")
        return EXIT_PASSED
    if not rows:
        raise UsageError(
            f"no agents found in {project.root}",
            hint="add `agents:` to viva.yaml, or packages below assistants/; viva init writes an example",
        )
    for row in rows:
        _show(row)
    return EXIT_USAGE if any("problem" in row for row in rows) else EXIT_PASSED


def _show(row: dict[str, Any]) -> None:
    default = f"  connector {row['connector']}" if row.get("connector") else ""
    click.echo(f"{row['id']}  ({row['kind']}){default}")
    for label in ("description", "where", "problem"):
        if row.get(label):
            click.echo(f"    {row[label]}")
    if row.get("tools"):
        click.echo(f"    tools: {', '.join(tool['name'] for tool in row['tools'])}")
