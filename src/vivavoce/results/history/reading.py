"""Reads the history: runs, their results, and the cases that did not pass last time."""

import re
import sqlite3
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import structs

from vivavoce.errors import UsageError, did_you_mean
from vivavoce.model.json_value import JsonArray, JsonValue
from vivavoce.model.result import RunInfo, Summary
from vivavoce.results.history.database import (
    bring_up_to_date,
    damaged,
    facts_are_missing,
    open_to_read,
    open_to_write,
    transaction,
)
from vivavoce.results.history.fact_store import UNSTEADY, read_facts
from vivavoce.results.history.facts import CaseFacts
from vivavoce.results.history.in_flight import read_in_flight
from vivavoce.results.history.liveness import is_alive
from vivavoce.results.history.records import KeptRun, RunState, unpacked

T = TypeVar("T")

_BACK = re.compile(r"last(?:~(\d+))?")
_SHORTEST_PREFIX = 4
_RUN = "SELECT id, info, summary, results, revision, finished, host, pid, seen_at FROM runs"
_BATCHES = """
WITH this AS (SELECT no FROM runs WHERE id = ?1)
SELECT start, rows FROM batches, this WHERE run = no
AND start >= coalesce((SELECT max(start) FROM batches, this WHERE run = no AND start <= ?2), 0) ORDER BY start
"""
_UNREADABLE = (msgspec.MsgspecError, zlib.error, ValueError, TypeError)
"""What reading a value of a damaged store may raise."""
_info = msgspec.json.Decoder(RunInfo)
_summary = msgspec.json.Decoder(Summary)


class History:
    """The history at a path. Opened again for each question: the file may appear, grow or vanish at any time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def folder(self) -> Path:
        """Where it lies, with what is kept beside it."""
        return self._path.parent

    def runs(self, most: int = -1) -> list[KeptRun]:
        """Returns the runs, newest first."""
        return self._with_flight([self._kept(row) for row in self._all(f"{_RUN} ORDER BY no DESC LIMIT ?", most)])

    def run(self, run_id: str) -> KeptRun | None:
        found = self._with_flight([self._kept(row) for row in self._all(f"{_RUN} WHERE id = ?", run_id)])
        return found[0] if found else None

    def _with_flight(self, runs: list[KeptRun]) -> list[KeptRun]:
        """Adds to live runs what they are at work on."""
        if all(run.state is not RunState.RUNNING for run in runs):
            return runs
        with self._opened() as store:
            flying = {} if store is None else read_in_flight(store)
        return [
            structs.replace(run, in_flight=tuple(flying.get(run.info.run_id, ())))
            if run.state is RunState.RUNNING
            else run
            for run in runs
        ]

    def find(self, ref: str) -> KeptRun:
        """`last`, `last~1`, a run's id or the beginning of one. Raises UsageError."""
        runs = self.runs()
        if back := _BACK.fullmatch(ref):
            place = int(back[1] or 0)
            if place < len(runs):
                return runs[place]
            if not runs:
                raise UsageError(f"there is no run {ref}: none was kept yet", hint="viva test keeps each run")
            raise UsageError(f"there is no run {ref}: {len(runs)} kept", hint="viva history lists them")
        found = [run for run in runs if run.info.run_id.startswith(ref)] if len(ref) >= _SHORTEST_PREFIX else []
        if len(found) == 1:
            return found[0]
        what = "is no result file and no run" if not found else f"is the beginning of {len(found)} runs"
        meant = did_you_mean(ref, ["last", "last~1"]) if not found else None
        raise UsageError(f"{ref!r} {what}", hint=meant or "viva history lists the runs; `last` and `last~1` work too")

    def rows_around(self, run_id: str, position: int) -> tuple[int, list[bytes]]:
        """Returns the batch of rows that holds this one, and the position of its first row."""
        for batch in self._batches(run_id, position):
            return batch
        return 0, []

    def rows(self, run_id: str, start: int = 0) -> Iterator[bytes]:
        """Yields rows from a position on, in the order the cases finished."""
        for first, rows in self._batches(run_id, start):
            yield from rows[max(start - first, 0) :]

    def _batches(self, run_id: str, position: int) -> Iterator[tuple[int, list[bytes]]]:
        """Yields batches from the one with the position on: the position of its first row, and its lines."""
        with self._opened() as store:
            if store is not None:
                for start, body in store.execute(_BATCHES, (run_id, position)):
                    try:
                        lines = unpacked(body)
                    except _UNREADABLE as error:
                        raise damaged(self._path, error) from None
                    yield start, lines

    def facts(self, case: str | None = None, agent: str | None = None) -> list[CaseFacts]:
        """Returns what is remembered of cases, also of removed runs; each case's results together, oldest first.

        `case` is an id, a key (`file::id`) or the end of one.
        """
        parts: list[str] = []
        values: list[str] = []
        if case is not None:
            parts.append("(c.id = ? OR c.key = ? OR substr(c.key, -length(?)) = ?)")
            values += [case, case, f"/{case}", f"/{case}"]
        if agent is not None:
            parts.append("c.agent = ?")
            values.append(agent)
        where = f" WHERE {' AND '.join(parts)}" if parts else ""
        with self._opened_for_facts() as store:
            if store is None:
                return []
            try:
                return list(read_facts(store, where, values))
            except (*_UNREADABLE, KeyError) as error:
                raise damaged(self._path, error) from None

    def each_fact(self, where: str = "") -> Iterator[CaseFacts]:
        """Yields all that is remembered of cases as `facts` does, one at a time."""
        with self._opened_for_facts() as store:
            if store is None:
                return
            try:
                yield from read_facts(store, where)
            except (*_UNREADABLE, KeyError) as error:
                raise damaged(self._path, error) from None

    def unsteady_facts(self) -> Iterator[CaseFacts]:
        """Yields the same of cases of which at least one attempt did not pass. Of a long history these are few."""
        return self.each_fact(UNSTEADY)

    def count_facts(self) -> int:
        """Returns how many results are remembered."""
        with self._opened_for_facts() as store:
            return 0 if store is None else store.execute("SELECT count(*) FROM facts").fetchone()[0]

    def ask(self, question: Callable[[sqlite3.Connection], T]) -> T | None:
        """Returns what a question finds in the tables of facts; None where there are none."""
        with self._opened_for_facts() as store:
            if store is None:
                return None
            try:
                return question(store)
            except (*_UNREADABLE, KeyError) as error:
                raise damaged(self._path, error) from None

    def failing(self) -> frozenset[str] | None:
        """Returns the keys of cases that did not pass when they last ran; None when there is no history."""
        if not self._all("SELECT 1 FROM runs LIMIT 1"):
            return None
        return frozenset(row[0] for row in self._all("SELECT key FROM failing"))

    def _all(self, question: str, *values: JsonValue) -> JsonArray:
        with self._opened() as store:
            return [] if store is None else store.execute(question, values).fetchall()

    def _kept(self, row: JsonValue) -> KeptRun:
        try:
            return _kept(row)
        except _UNREADABLE as error:
            raise damaged(self._path, error) from None

    @contextmanager
    def _opened_for_facts(self) -> Generator[sqlite3.Connection | None]:
        """Opens the store with all facts in their tables; gives None where there are none."""
        with self._opened() as store:
            if store is None:
                yield None
            elif not facts_are_missing(store) or self._sorted_in():
                yield store
            else:
                with closing(_sorted_copy(store, self._path.parent)) as copy:
                    yield copy

    def _sorted_in(self) -> bool:
        """Puts missing facts into their tables; returns False where the store cannot be written to."""
        from vivavoce.results.history.sorting_in import sort_in

        try:
            with closing(open_to_write(self._path)) as store, transaction(store):
                sort_in(store, self._path.parent)
        except (sqlite3.OperationalError, OSError):
            return False
        return True

    @contextmanager
    def _opened(self) -> Generator[sqlite3.Connection | None]:
        store = open_to_read(self._path)
        try:
            yield store
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise damaged(self._path, error) from None
        finally:
            if store is not None:
                store.close()


def _sorted_copy(store: sqlite3.Connection, folder: Path) -> sqlite3.Connection:
    """Returns a copy in memory with all facts in their tables."""
    from vivavoce.results.history.sorting_in import sort_in

    copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    store.backup(copy)
    bring_up_to_date(copy)
    sort_in(copy, folder)
    return copy


def _kept(row: JsonValue) -> KeptRun:
    _, info, summary, results, revision, finished, *process = row
    state = RunState.FINISHED if finished else RunState.RUNNING if is_alive(finished, *process) else RunState.KILLED
    totals = _summary.decode(summary)
    if state is RunState.KILLED:
        totals = structs.replace(totals, interrupted=state.value)
    return KeptRun(info=_info.decode(info), summary=totals, state=state, results=results, revision=revision)
