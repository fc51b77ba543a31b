"""`viva record`: the tests run as usual, and every AG-UI stream is kept for playing back."""

from pathlib import Path
from typing import Any

import click

from vivavoce.cli import options

EPILOG = """\b
Examples:
  viva record -i tests -o recordings/
  viva test   -i tests -n agui-replay:recordings               the same, with no server
  viva test   -i tests -n "agui-replay:recordings?timing=none"   and at once
"""


@click.command("record", epilog=EPILOG)
@options.source_options
@options.agent_options
@options.selection_options
@options.running_options
@options.conversation_options
@options.project_options
@click.option("-o", "--output", "folder", required=True, metavar="DIR", help="Where the streams go, a folder per case.")
@click.option("-v", "--verbose", is_flag=True, help="Every message and tool call.")
def command(folder: str, **flags: Any) -> int:
    """Run tests against AG-UI apps and store the raw streams with their arrival times. Secrets are not stored."""
    from vivavoce.app.examine import examine
    from vivavoce.cli.event_loop import run_async
    from vivavoce.errors import EXIT_USAGE

    before = _recordings(Path(folder))
    results = f"{folder.rstrip('/')}/results.jsonl"
    unused: dict[str, Any] = dict.fromkeys(("junitxml", "reporter", "keep"))
    quiet: dict[str, Any] = dict.fromkeys(("dry_run", "pass_with_no_tests", "no_history"), False)
    code = run_async(examine, {**unused, **quiet, **flags, "outputs": (results,), "record_to": folder})
    if _recordings(Path(folder)) != before:
        return code
    click.echo(f"viva: nothing was recorded in {folder}: only what AG-UI apps answer can be (agui:URL)", err=True)
    return code or EXIT_USAGE


def _recordings(folder: Path) -> dict[Path, int]:
    """Every stream that is kept there, and when it was written."""
    return {path: path.stat().st_mtime_ns for path in folder.glob("*/*.sse")}
