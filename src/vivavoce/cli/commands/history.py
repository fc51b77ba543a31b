"""`viva history`: the runs that were kept."""

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from vivavoce.cli import options
from vivavoce.containment.safe_stream import write_data

if TYPE_CHECKING:
    from vivavoce.results.history.records import KeptRun

_SHORTEST_INPUT = 12
_LONGEST_ABOUT = 48
_SHORTEST_ABOUT = 8
EPILOG = """\b
Examples:
  viva history                     the newest runs
  viva history --json | jq .       for other programs
  viva history --case T003         one case over time
  viva history import ci/*.jsonl   results of other machines
  viva diff last~1 last            what changed between two of them
  viva view                        the same as a web page
"""


@click.command("history", epilog=EPILOG)
@click.option("-n", "--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="So many.")
@click.option("--json", "as_json", is_flag=True, help="One JSON array.")
@click.option("--case", "case", metavar="ID", help="One case over time, also in runs that are no longer kept.")
@click.argument("action", type=click.Choice(["import"]), required=False)
@click.argument("files", nargs=-1, metavar="[FILE.jsonl]...")
@options.project_options
def command(
    limit: int, as_json: bool, case: str | None, action: str | None, files: tuple[str, ...], config: str | None
) -> int:
    """List the runs kept in .viva/history.db, the newest first.

    `viva history import FILE.jsonl…` adds the results of other machines to what is remembered of each case, for
    --case and viva flaky; what is there already is not counted twice.
    """
    from vivavoce.app.history_keeping import open_history
    from vivavoce.app.opening import open_project

    if action == "import":
        return _import(files, config)
    if case is not None:
        return _show_case(case, limit, as_json, config)

    runs = open_history(open_project(config)).runs(limit)
    if as_json:
        import msgspec

        listed = msgspec.json.format(msgspec.json.encode([_as_data(run) for run in runs]), indent=2)
        write_data(sys.stdout, listed.decode() + "\n")
        return 0
    from vivavoce.reporters.terminal.style import console_width, for_encoding

    if not runs:
        click.echo("no run is kept yet: viva test keeps each one, unless --no-history is given", file=sys.stderr)
        return 0
    for line in table_lines(runs, console_width(os.environ, sys.stdout.isatty())):
        click.echo(for_encoding(line, sys.stdout.encoding))
    return 0


def _import(files: tuple[str, ...], config: str | None) -> int:
    from pathlib import Path

    from vivavoce.app.opening import open_project
    from vivavoce.errors import UsageError
    from vivavoce.results.history.database import history_file
    from vivavoce.results.history.importing import import_results
    from vivavoce.wording.plurals import counted

    if not files:
        raise UsageError(
            "which files?", at="viva history import", hint="give result files: viva history import *.jsonl"
        )
    for done in import_results(history_file(open_project(config)), [Path(file) for file in files]):
        unread = f", {counted(done.unreadable, 'line')} could not be read" if done.unreadable else ""
        click.echo(f"{done.path}: {done.added} of {counted(done.found, 'result')} added{unread}")
    return 0


def _show_case(case: str, limit: int, as_json: bool, config: str | None) -> int:
    """Prints the newest results of one case, the newest first."""
    import msgspec

    from vivavoce.app.history_keeping import open_history
    from vivavoce.app.opening import open_project
    from vivavoce.errors import UsageError
    from vivavoce.reporters.case_over_time import case_history_lines
    from vivavoce.reporters.terminal.style import console_width, for_encoding

    found = open_history(open_project(config)).facts(case)
    if not found:
        raise UsageError(f"the history knows no case {case!r}", hint="give its id, or path::id")
    if as_json:
        newest = sorted(found, key=lambda one: one.started_ms, reverse=True)[:limit]
        write_data(sys.stdout, msgspec.json.format(msgspec.json.encode(newest), indent=2).decode() + "\n")
        return 0
    for line in case_history_lines(found, limit, console_width(os.environ, sys.stdout.isatty())):
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
        "title": run.info.title,
        "revision": run.revision,
        "branch": run.info.branch,
        "dirty": run.info.dirty,
        "models": run.info.models,
        "overall_pass_rate": overall_pass_rate(run.summary),
        **totals,
    }


def table_lines(runs: "list[KeptRun]", width: int) -> list[str]:
    """A line per run that fits into `width`. What matters least is shortened or left out first; never the result."""
    from vivavoce.reporters.run_words import about, started, took, verdict
    from vivavoce.reporters.terminal.listing import GAP, listing
    from vivavoce.wording.terminal_text import clip, one_line

    def table(agent: int, when: slice, columns: tuple[str, ...], longest_about: int = _LONGEST_ABOUT) -> list[str]:
        cells = [
            {
                "RUN": run.info.run_id,
                "STARTED": started(run.info)[when],
                "AGENT": clip(run.info.agent_id, agent),
                "RESULT": verdict(run),
                "TIME": took(run),
                "ABOUT": clip(about(run), longest_about),
                "INPUT": one_line(", ".join(run.info.inputs)),
            }
            for run in runs
        ]
        return listing([columns, *(tuple(row[name] for name in columns) for row in cells)])

    least = ("RUN", "STARTED", "AGENT", "RESULT", "TIME")
    everything = (*least, "ABOUT", "INPUT")
    whole, to_the_minute = slice(None), slice(5, 16)

    def shortened_about() -> list[str]:
        """What tells runs apart, cut to the room there is; the agent only where it differs."""
        same_agent = len({run.info.agent_id for run in runs}) == 1
        columns = ("RUN", "STARTED", *(() if same_agent else ("AGENT",)), "RESULT")
        room = width - max(map(len, table(12, to_the_minute, columns))) - len(GAP)
        wanted = any(map(about, runs)) and room >= _SHORTEST_ABOUT
        return table(12, to_the_minute, (*columns, "ABOUT"), room) if wanted else lines

    lines = table(30, whole, everything)
    without_input = table(30, whole, everything[:-1])
    if max(map(len, lines)) > width and max(map(len, without_input)) + _SHORTEST_INPUT <= width:
        return [clip_end(line, width) for line in lines]
    for smaller in (
        lines,
        without_input,
        table(20, to_the_minute, everything[:-1]),
        shortened_about(),
        table(20, to_the_minute, least),
        table(12, to_the_minute, least[:-1]),
        table(12, to_the_minute, ("RUN", "STARTED", "RESULT")),
        table(12, to_the_minute, ("RUN", "RESULT")),
    ):
        if max(map(len, smaller)) <= width:
            return smaller
    return [clip_end(line, width) for line in table(12, to_the_minute, ("RUN", "RESULT"))]


def clip_end(line: str, width: int) -> str:
    """The line cut at the width, its columns kept."""
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"
