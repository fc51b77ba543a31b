"""Writes the run into the history, if wanted, and reads which cases did not pass last time."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from vivavoce.model.events import Event
from vivavoce.model.result import Summary
from vivavoce.project.project import Project
from vivavoce.results.history.database import history_file
from vivavoce.results.history.recorder import HistoryReporter

if TYPE_CHECKING:
    from vivavoce.results.history.reading import History


def open_history(project: Project) -> "History":
    from vivavoce.results.history.reading import History

    return History(history_file(project))


def read_last_failed(project: Project) -> frozenset[str] | None:
    """The keys: what failed last time it ran and has not passed since; None when nothing was ever kept."""
    return open_history(project).failing()


class HistoryKeeping:
    """Writes the run into the history, where that is `wanted`; the last `keep` runs stay there.

    An error there is one warning and never fails a run.
    """

    def __init__(self, project: Project, *, wanted: bool, keep: int, totals: Callable[[], Summary]) -> None:
        self._history: HistoryReporter | None = None
        if wanted:
            self._history = HistoryReporter(history_file(project), totals=totals, keep=keep)

    def handle(self, event: Event) -> None:
        if self._history is not None:
            self._history.handle(event)

    def watch(self, in_flight: Callable[[], Sequence[str]]) -> None:
        """Lets the history tell which cases are being run."""
        if self._history is not None:
            self._history.in_flight = in_flight

    def close(self) -> None:
        if self._history is None:
            return
        self._history.close()
        if self._history.notice is not None:
            print(f"viva: {self._history.notice}", file=sys.stderr)
        if self._history.problem is not None:
            print(f"viva: this run is not (wholly) in the history: {self._history.problem}", file=sys.stderr)
