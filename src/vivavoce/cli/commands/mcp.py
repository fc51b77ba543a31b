"""`viva mcp`: viva as an MCP server for coding agents."""

import click

from vivavoce.cli import options

EPILOG = """\b
Example, for a coding agent that reads .mcp.json:
  {"mcpServers": {"viva": {"command": "viva", "args": ["mcp"]}}}
"""


@click.command("mcp", epilog=EPILOG)
@options.project_options
def command(config: str | None) -> int:
    """Serve this project over MCP on standard input and output: list, validate, run, show, rejudge, diff, coverage.

    Paths are limited to the project. Needs vivavoce[mcp].
    """
    from pathlib import Path

    from vivavoce.cli.help_page import COMMANDS
    from vivavoce.configuration.project_finder import project_root
    from vivavoce.mcp_server.server import serve

    serve(project_root(Path.cwd(), config), COMMANDS)
    return 0
