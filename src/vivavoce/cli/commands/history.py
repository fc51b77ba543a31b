"""`viva history`: the runs that were kept."""

import shutil
import sys
from typing import TYPE_CHECKING, Any

import click

from vivavoce.cli import options
from vivavoce.containment.terminal_door import write_data

if TYPE_CHECKING:
    from vivavoce.results.history.records import KeptRun

EPILOG = """\b
Examples:
  viva history                     the newest runs
  viva history --json | jq .       for other programs
  viva diff last~1 last            what changed between two of them
  viva view                        the same as a web page
"""


@click.command("history", short_help="list the runs that were kept", epilog=EPILOG)
@click.option("-n", "--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="So many.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
@options.project_options
def command(limit: int, as_json: bool, config: str | None) -> int:
    """List the runs kept in .viva/history.db, the newest first."""
    from vivavoce.app.history_keeping import open_history
    from vivavoce.app.opening import open_project

    runs = open_history(open_project(config)).runs(limit)
    if as_json:
        import msgspec

        listed = msgspec.json.format(msgspec.json.encode([_as_data(run) for run in runs]), indent=2)
        write_data(sys.stdout, listed.decode() + "\n")
        return 0
    from vivavoce.reporters.terminal.style import for_encoding

    if not runs:
        click.echo("no run is kept yet: viva test keeps each one, unless --no-history is given", file=sys.stderr)
        return 0
    # Only a terminal would wrap a long line; other readers get all of it.
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    for line in table_lines(runs, width):
        click.echo(for_encoding(line, sys.stdout.encoding))
    return 0


def _as_data(run: "KeptRun") -> dict[str, Any]:
    import msgspec

    from vivavoce.results.rows import overall_pass_rate

    totals: dict[str, Any] = msgspec.to_builtins(run.summary)
    return {
        "run_id": run.info.run_id,
        "state": run.state.value,
        "started_at": run.info.started_at,
        "agent_id": run.info.agent_id,
        "connector": run.info.connector,
        "inputs": run.info.inputs,
        "runs_per_case": run.info.runs_per_case,
        "command": run.info.command,
        "revision": run.revision,
        "overall_pass_rate": overall_pass_rate(run.summary),
        **totals,
    }


def table_lines(runs: "list[KeptRun]", width: int) -> list[str]:
    """A line per run that fits into `width`; the input, which comes last, has whatever the others leave."""
    from vivavoce.reporters.run_words import started, took, verdict
    from vivavoce.wording.terminal_text import clip, one_line

    head = ("RUN", "STARTED", "AGENT", "RESULT", "TIME", "INPUT")
    rows = [
        (
            run.info.run_id,
            started(run.info),
            clip(run.info.agent_id, 30),
            verdict(run),
            took(run),
            one_line(", ".join(run.info.inputs)),
        )
        for run in runs
    ]
    widths = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in (head, *rows)]
    return [line if len(line) <= width else f"{line[: width - 1].rstrip()}…" for line in lines]
