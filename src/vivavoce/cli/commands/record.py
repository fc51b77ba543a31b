"""`viva record`: the tests run as usual, and every answer of the agent is kept for playing back."""

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
  viva test   -i tests -n replay:recordings               the same, with no agent
  viva test   -i tests -n "replay:recordings?timing=none"   and at once
"""


@click.command("record", cls=options.SectionedCommand, epilog=EPILOG)
@options.source_options
@options.groups(AgentOptions, SelectionOptions, ExecutionOptions, ConversationOptions, HistoryOptions, ProjectOptions)
@options.named(TerminalOptions, "interactive")
@click.option("-o", "--output", "folder", required=True, metavar="DIR", help="Where the answers go, a folder per case.")
@options.named(TerminalOptions, "verbose")
@options.named(TerminalOptions, "quiet")
@options.named(TerminalOptions, "format")
def command(folder: str, **flags: Any) -> int:
    """Run tests and store what the agent answers; of AG-UI apps the raw streams with their arrival times.

    Secrets are not stored. The agent itself does not run when the recording is replayed: to run it without its
    models, record tapes with viva test --record.
    """
    from vivavoce.cli.examining import examine_at_terminal
    from vivavoce.errors import EXIT_USAGE

    before = _recordings(Path(folder))
    results = f"{folder.rstrip('/')}/results.jsonl"
    code = examine_at_terminal({**flags, "outputs": (results,)}, record_to=folder)
    after = _recordings(Path(folder))
    # A resumed run may find everything there already: what is not there runs again.
    if after != before or (after and flags.get("resume") is not None):
        return code
    click.echo(f"viva: nothing was recorded in {folder}: no agent was asked anything", err=True)
    return code or EXIT_USAGE


def _recordings(folder: Path) -> dict[Path, int]:
    """Every answer that is kept there, and when it was written."""
    from vivavoce.targets.recorded_folders import ANSWERS

    kept = (path for pattern in ANSWERS for path in folder.glob(f"*/{pattern}"))
    return {path: path.stat().st_mtime_ns for path in kept}
