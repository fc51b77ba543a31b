"""The run goes into the history, unless it is not wanted there; and what the history says did not pass last."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from vivavoce.history.database import history_file
from vivavoce.history.reporter import Encoding, HistoryReporter
from vivavoce.model.events import Event
from vivavoce.model.result import Summary
from vivavoce.project import Project
from vivavoce.reporters.encoding import encoded
from vivavoce.reporters.rows import row_line

if TYPE_CHECKING:
    from vivavoce.history.reading import History

KEPT_RUNS = 50


def open_history(project: Project) -> "History":
    from vivavoce.history.reading import History

    return History(history_file(project))


def read_last_failed(project: Project) -> frozenset[str] | None:
    """The keys: what failed last time it ran and has not passed since; None when nothing was ever kept."""
    return open_history(project).failing()


class Keeping:
    """Listens for the history; direct messages are not `wanted` there.

    Nothing that goes wrong there fails a run: it is one warning.
    """

    def __init__(self, project: Project, flags: dict[str, Any], *, totals: Callable[[], Summary], wanted: bool) -> None:
        defaults = project.config.run
        unwanted = not wanted or flags["no_history"] or defaults.history is False
        encoding = Encoding(data=encoded, line=row_line)
        keep = flags["keep"] or defaults.keep or KEPT_RUNS
        path = history_file(project)
        self._history = None if unwanted else HistoryReporter(path, encoding, totals=totals, keep=keep)

    def handle(self, event: Event) -> None:
        if self._history is not None:
            self._history.handle(event)

    def close(self) -> None:
        if self._history is None:
            return
        self._history.close()
        if self._history.problem is not None:
            print(f"viva: this run is not (wholly) in the history: {self._history.problem}", file=sys.stderr)
