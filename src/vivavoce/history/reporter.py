"""Keeps a run in the store while it goes on."""

import queue
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

from msgspec import Struct

from vivavoce.history.database import HistoryProblem, open_to_write
from vivavoce.history.liveness import HEARTBEAT_S
from vivavoce.history.records import outcome_of
from vivavoce.history.revision import checked_out
from vivavoce.history.writing import Encode, NewResult, RunWriter
from vivavoce.model.events import CaseFinished, Event, RunFinished, RunStarted
from vivavoce.model.result import CaseResult, RunInfo, Summary
from vivavoce.tally import Tally

MOST_BYTES = 256 << 20
_BATCH = 200
_BATCH_S = 0.1
_WAITING_RESULTS = 1_000
_GIVE_UP_S = 45.0


class Encoding(Struct, frozen=True, kw_only=True):
    """How results become bytes: the reporters know, the store does not."""

    data: Encode
    row: Callable[[CaseResult], bytes]
    head: Callable[[CaseResult], bytes]


_Waiting = RunInfo | tuple[CaseResult, bytes] | Summary | None


class HistoryReporter:
    """Writes from a thread of its own: a slow or locked store never holds up a conversation, nor fails a run.

    Results are committed together, at least every 100 ms: so much a killed run may lose here. Its result file has
    every line. What went wrong stands in `problem` once it is closed.
    """

    def __init__(
        self,
        path: Path,
        encoding: Encoding,
        *,
        keep: int,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.problem: str | None = None
        self._path = path
        self._encoding = encoding
        self._keep = keep
        self._most_bytes = most_bytes
        self._ended = False
        self._waiting: queue.Queue[_Waiting] = queue.Queue(_WAITING_RESULTS)
        self._thread = Thread(target=self._work, name="viva-history", daemon=True)

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self._waiting.put((event.result, self._encoding.row(event.result)))
        elif isinstance(event, RunStarted):
            self._thread.start()
            self._waiting.put(event.info)
        elif isinstance(event, RunFinished):
            self._waiting.put(event.summary)

    def close(self) -> None:
        if self._thread.ident is None:
            return
        self._waiting.put(None)
        self._thread.join(_GIVE_UP_S)
        if self._thread.is_alive():
            self.problem = self.problem or "the store did not answer in time"

    def _work(self) -> None:
        try:
            self._keep_run()
        except (sqlite3.Error, OSError, HistoryProblem) as error:
            self.problem = str(error)
            # Nobody may ever wait for a place in the queue.
            while not self._ended:
                self._ended = self._waiting.get() is None

    def _keep_run(self) -> None:
        info = self._waiting.get()
        assert isinstance(info, RunInfo)
        store = open_to_write(self._path)
        try:
            run = RunWriter(store, info, checked_out(self._path.parent), self._encoding.data)
            run.prune(self._keep, self._most_bytes)
            tally = Tally(info.total_cases)
            while (batch := self._next_batch()) is not None:
                for result, _ in batch.results:
                    tally.add(result)
                run.append(
                    [NewResult(outcome_of(result), self._encoding.head(result), row) for result, row in batch.results],
                    batch.summary or tally.summary(),
                    finished=batch.summary is not None,
                )
                if batch.summary is not None:
                    run.prune(self._keep, self._most_bytes)
        finally:
            store.close()

    def _next_batch(self) -> "_Batch | None":
        """What came within a moment; an empty one when nothing came for long; None when nothing more will."""
        if self._ended:
            return None
        batch = _Batch()
        try:
            item = self._waiting.get(timeout=HEARTBEAT_S)
            until = time.monotonic() + _BATCH_S
            while isinstance(item, tuple):
                batch.results.append(item)
                if len(batch.results) == _BATCH:
                    return batch
                item = self._waiting.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return batch
        self._ended = True
        batch.summary = item if isinstance(item, Summary) else None
        return batch


class _Batch:
    def __init__(self) -> None:
        self.results: list[tuple[CaseResult, bytes]] = []
        self.summary: Summary | None = None
