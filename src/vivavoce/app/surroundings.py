"""What every command starts from: the project, its .env file, its sources and selection."""

import sys
from typing import Any

from vivavoce.app.keeping import read_last_failed
from vivavoce.app.wishes import open_project, sources_of
from vivavoce.engine.plan.plan import Selection, parse_shard
from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.protocols import Source
from vivavoce.sources.discover import Generators

__all__ = ["open_project", "open_sources", "selection_of"]


def open_sources(
    project: Project,
    inputs: tuple[str, ...],
    messages: tuple[str, ...],
    *,
    generators: Generators | None = None,
) -> list[Source]:
    """What `-i` and `--message` name, `-` being standard input."""
    stdin: Any = sys.stdin  # None when it was closed
    return sources_of(project, inputs, messages, stdin=stdin and stdin.buffer, generators=generators)


def selection_of(project: Project, flags: dict[str, Any]) -> Selection:
    """The selection flags as data; the last failures are read only when asked for."""
    last: frozenset[str] | None = None
    only_failed = flags["last_failed"]
    if flags["last_failed"] or flags["failed_first"]:
        last = read_last_failed(project)
        if last is None and flags["last_failed"]:
            raise UsageError(
                "no earlier run to take failures from", at="--last-failed", hint="run viva test once first"
            )
        if only_failed and not last:
            # As pytest does: nothing to repeat is no reason to test nothing.
            print("viva: --last-failed: nothing failed last time, so all cases are taken", file=sys.stderr)
            only_failed = False
    return Selection(
        pattern=flags["pattern"],
        tags=tuple(flags["tags"]),
        keys=last if only_failed else None,
        first=last or frozenset() if flags["failed_first"] else frozenset(),
        shard=parse_shard(flags["shard"]) if flags["shard"] else None,
        sample=flags["sample"],
        seed=flags["seed"],
        skip_interactive=flags.get("skip_interactive", False),
    )
