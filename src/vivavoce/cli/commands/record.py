"""`viva record`: the tests run as usual, and every AG-UI stream is kept for playing back."""

from pathlib import Path
from typing import Any

import click

from vivavoce.cli import options
from vivavoce.project.run_options import (
    AgentOptions,
    ConversationOptions,
    ExecutionOptions,
    HistoryOptions,
    ProjectOptions,
    SelectionOptions,
    TerminalOptions,
)

EPILOG = """\b
Examples:
  viva record -i tests -o recordings/
  viva test   -i tests -n agui-replay:recordings               the same, with no server
  viva test   -i tests -n "agui-replay:recordings?timing=none"   and at once
"""


@click.command("record", short_help="run AG-UI tests and keep the raw streams for replay", epilog=EPILOG)
@options.source_options
@options.groups(AgentOptions, SelectionOptions, ExecutionOptions, ConversationOptions, HistoryOptions, ProjectOptions)
@options.named(TerminalOptions, "interactive")
@click.option("-o", "--output", "folder", required=True, metavar="DIR", help="Where the streams go, a folder per case.")
@options.named(TerminalOptions, "verbose")
@options.named(TerminalOptions, "quiet")
@options.named(TerminalOptions, "format")
def command(folder: str, **flags: Any) -> int:
    """Run tests against AG-UI apps and store the raw streams with their arrival times. Secrets are not stored."""
    from vivavoce.cli.examining import examine_at_terminal
    from vivavoce.errors import EXIT_USAGE

    before = _recordings(Path(folder))
    results = f"{folder.rstrip('/')}/results.jsonl"
    code = examine_at_terminal({**flags, "outputs": (results,)}, record_to=folder)
    if _recordings(Path(folder)) != before:
        return code
    click.echo(f"viva: nothing was recorded in {folder}: only what AG-UI apps answer can be (agui:URL)", err=True)
    return code or EXIT_USAGE


def _recordings(folder: Path) -> dict[Path, int]:
    """Every stream that is kept there, and when it was written."""
    return {path: path.stat().st_mtime_ns for path in folder.glob("*/*.sse")}
