"""Writes a run to the history while it goes on."""

import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event, Thread

from vivavoce.model.events import CaseFinished, RunFinished, RunStarted
from vivavoce.model.events import Event as RunEvent
from vivavoce.model.result import RunInfo, Summary
from vivavoce.results.history.database import HistoryProblem, is_damage, open_to_write, set_aside
from vivavoce.results.history.facts import facts_of
from vivavoce.results.history.liveness import HEARTBEAT_S
from vivavoce.results.history.writing import NewResult, RunWriter
from vivavoce.results.rows import row_line

MOST_BYTES = 256 << 20
_TOGETHER_S = 1.0
_ENOUGH = 1 << 20
"""Bytes of lines after which a batch is written at once, without waiting for the second to end."""
_MOST_WAITING = 64 << 20
"""The most bytes of lines kept in memory."""
_GIVE_UP_S = 45.0


class HistoryReporter:
    """Writes from a thread of its own: a slow or locked database never delays a conversation or fails a run.

    Results are written once a second; a killed run may lose the last second here, but not in its result file. The
    thread only passes finished bytes to SQLite: Python code in it would slow the conversations down. An error is in
    `problem` once the reporter is closed.
    """

    def __init__(
        self,
        path: Path,
        *,
        totals: Callable[[], Summary],
        keep: int,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """`totals` returns the run's counts; it is asked whenever a batch of results is written."""
        self.problem: str | None = None
        self.notice: str | None = None
        """What a person should know although this run is kept."""
        self.in_flight: Callable[[], Sequence[str]] = tuple
        """Returns the keys of the cases that are being run; asked from the writing thread."""
        self._path = path
        self._info: RunInfo | None = None
        self._totals = totals
        self._keep = keep
        self._most_bytes = most_bytes
        self._waiting: list[NewResult] = []
        self._has_told = False
        """Whether anything but the start was written. Until then the cases in flight are written at once."""
        self._added = self._written = 0
        """Bytes of lines so far; each number is changed by one thread only."""
        self._summary: Summary | None = None
        self._arrived = Event()
        self._full = Event()
        """Whether enough lines wait to be written at once."""
        self._over = Event()
        self._thread: Thread | None = None

    def handle(self, event: RunEvent) -> None:
        if self.problem is not None:
            return
        if isinstance(event, CaseFinished):
            result = event.result
            line = event.line or row_line(result)
            facts = None if self._info is None else facts_of(self._info, result)
            self._waiting.append(NewResult(result.case.key, result.status, line, facts))
            self._added += len(line)
            # Waking the thread for every result would cost more than writing it.
            if not self._arrived.is_set():
                self._arrived.set()
            if (waiting := self._added - self._written) > _ENOUGH:
                self._full.set()
                if waiting > _MOST_WAITING:
                    self._wait_for_room()
        elif isinstance(event, RunStarted):
            self._info = event.info
            self._thread = Thread(target=self._work, args=(event.info,), name="viva-history", daemon=True)
            self._thread.start()
        elif isinstance(event, RunFinished):
            self._summary = event.summary
            self._end()

    def close(self) -> None:
        if self._thread is None:
            return
        self._end()
        self._thread.join(_GIVE_UP_S)
        if self._thread.is_alive():
            self.problem = self.problem or "the store did not answer in time"

    def _end(self) -> None:
        self._over.set()
        self._full.set()
        self._arrived.set()

    def _wait_for_room(self) -> None:
        """Waits for the writing thread when too many lines are in memory."""
        while self._added - self._written > _MOST_WAITING and self.problem is None:
            time.sleep(_TOGETHER_S / 10)

    def _work(self, info: RunInfo) -> None:
        try:
            try:
                self._keep_run(info)
            except (sqlite3.Error, UnicodeDecodeError) as error:
                if self._written or not is_damage(error) or (aside := set_aside(self._path)) is None:
                    raise
                self.notice = f"the history was damaged and is set aside as {aside.name}: {error}"
                self._keep_run(info)
        except (sqlite3.Error, OSError, HistoryProblem, UnicodeDecodeError) as error:
            self.problem = str(error)

    def _keep_run(self, info: RunInfo) -> None:
        store = open_to_write(self._path)
        try:
            run = RunWriter(store, info)
            run.prune(self._keep, self._most_bytes, self._path.parent)
            over = False
            while not over:
                over = self._collect()
                summary = self._summary if over else None
                taken = self._taken()
                now = () if over else self.in_flight()
                run.append(taken, summary or self._totals(), finished=summary is not None, in_flight=now)
                self._written += sum(len(result.line) for result in taken)
            run.prune(self._keep, self._most_bytes, self._path.parent)
        finally:
            store.close()

    def _collect(self) -> bool:
        """Waits for results, then a moment for more of them, but no longer than until the next heartbeat.

        Returns whether the run is over, so that no more results will come.
        """
        self._arrived.wait(HEARTBEAT_S if self._has_told else _TOGETHER_S)
        self._has_told = True
        self._full.wait(_TOGETHER_S)
        # Cleared before looking: lines that come later wake the next round.
        self._full.clear()
        self._arrived.clear()
        return self._over.is_set()

    def _taken(self) -> list[NewResult]:
        """Takes the waiting lines. Empties the same list, since the other thread may be adding to it."""
        taken = self._waiting[:]
        del self._waiting[: len(taken)]
        return taken
