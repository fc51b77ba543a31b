"""Keeps a run in the store while it goes on."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

from vivavoce.model.events import CaseFinished, RunFinished, RunStarted
from vivavoce.model.events import Event as RunEvent
from vivavoce.model.result import RunInfo, Summary
from vivavoce.project.revision import checked_out
from vivavoce.results.history.database import HistoryProblem, open_to_write
from vivavoce.results.history.liveness import HEARTBEAT_S
from vivavoce.results.history.writing import NewResult, RunWriter
from vivavoce.results.rows import row_line

MOST_BYTES = 256 << 20
_TOGETHER_S = 1.0
_ENOUGH = 1 << 20
"""Bytes of lines that are worth a write before the second is over."""
_MOST_WAITING = 64 << 20
"""Bytes of lines in memory."""
_GIVE_UP_S = 45.0


class HistoryReporter:
    """Writes from a thread of its own: a slow or locked store never holds up a conversation, nor fails a run.

    Results are committed together, once a second: so much a killed run may lose here. Its result file has every
    line. That thread hands whole batches of finished bytes to C: whatever it did in Python, the conversations would
    wait for. What went wrong stands in `problem` once it is closed.
    """

    def __init__(
        self,
        path: Path,
        *,
        totals: Callable[[], Summary],
        keep: int,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """`totals` tells how far the run is, whenever a batch of results is written."""
        self.problem: str | None = None
        self._path = path
        self._totals = totals
        self._keep = keep
        self._most_bytes = most_bytes
        self._waiting: list[NewResult] = []
        self._added = self._written = 0
        """Bytes of lines so far; each number is changed by one thread only."""
        self._summary: Summary | None = None
        self._arrived = Event()
        self._full = Event()
        """More waits than a moment should gather."""
        self._over = Event()
        self._thread: Thread | None = None

    def handle(self, event: RunEvent) -> None:
        if self.problem is not None:
            return
        if isinstance(event, CaseFinished):
            result = event.result
            line = event.line or row_line(result)
            self._waiting.append(NewResult(result.case.key, result.status, line))
            self._added += len(line)
            # Waking the thread for every single result would cost more than writing it.
            if not self._arrived.is_set():
                self._arrived.set()
            if (waiting := self._added - self._written) > _ENOUGH:
                self._full.set()
                if waiting > _MOST_WAITING:
                    self._wait_for_room()
        elif isinstance(event, RunStarted):
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
        """Memory is not without end: a store that does not keep pace is waited for in the end."""
        while self._added - self._written > _MOST_WAITING and self.problem is None:
            time.sleep(_TOGETHER_S / 10)

    def _work(self, info: RunInfo) -> None:
        try:
            self._keep_run(info)
        except (sqlite3.Error, OSError, HistoryProblem) as error:
            self.problem = str(error)

    def _keep_run(self, info: RunInfo) -> None:
        store = open_to_write(self._path)
        try:
            run = RunWriter(store, info, checked_out(self._path.parent))
            run.prune(self._keep, self._most_bytes)
            over = False
            while not over:
                over = self._collect()
                summary = self._summary if over else None
                taken = self._taken()
                run.append(taken, summary or self._totals(), finished=summary is not None)
                self._written += sum(len(result.line) for result in taken)
            run.prune(self._keep, self._most_bytes)
        finally:
            store.close()

    def _collect(self) -> bool:
        """Waits for results, and a moment longer for more of them; or only so long that the run still counts as alive.

        Whether the run is over: then everything that will ever come is there.
        """
        self._arrived.wait(HEARTBEAT_S)
        self._full.wait(_TOGETHER_S)
        # Cleared before anything is looked at: what comes from here on wakes the next round.
        self._full.clear()
        self._arrived.clear()
        return self._over.is_set()

    def _taken(self) -> list[NewResult]:
        """What waits. The list stays the same one: the other thread may be adding to it just now."""
        taken = self._waiting[:]
        del self._waiting[: len(taken)]
        return taken
