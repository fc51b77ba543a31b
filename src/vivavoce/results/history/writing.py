"""Writes to the history: a run's start, results and end; removes old runs."""

import os
import platform
import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from vivavoce.model.json_value import JsonArray
from vivavoce.model.result import UNSUCCESSFUL, RunInfo, Status, Summary
from vivavoce.results.encoding import encoded
from vivavoce.results.history.database import HistoryProblem, patiently, transaction
from vivavoce.results.history.fact_store import fact_row, forget_oldest, packed_rows, storable
from vivavoce.results.history.facts import CaseFacts
from vivavoce.results.history.in_flight import note_in_flight
from vivavoce.results.history.liveness import is_alive
from vivavoce.results.history.records import packed

_MOST_TOGETHER = 200
_MOST_BYTES_TOGETHER = 1 << 20
_MOST_WITHOUT_FACTS = 50_000
"""When the facts of more results wait, a run sorts some in at its end, so that nobody waits long for them later (all of
these take a third of a second): those of as many results as its own, so that a short run stays short."""


class NewResult(Struct, frozen=True, gc=False):
    key: str
    status: Status
    line: bytes
    facts: CaseFacts | None
    """What is remembered of it longer; None when it was not judged."""


class RunWriter:
    """Writes one run. Every call is one short transaction."""

    def __init__(self, store: sqlite3.Connection, info: RunInfo) -> None:
        self._store = store
        self._position = 0
        self._run_id = info.run_id
        self._in_flight: tuple[str, ...] = ()
        with transaction(store):
            made = store.execute(
                "INSERT INTO runs (id, info, summary, revision, host, pid, seen_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    info.run_id,
                    encoded(info),
                    encoded(Summary(total=info.total_cases, not_run=info.total_cases)),
                    info.revision,
                    platform.node(),
                    os.getpid(),
                    time.time(),
                ),
            )
            assert made.lastrowid is not None
            self._run = made.lastrowid

    def append(
        self,
        results: Sequence[NewResult],
        summary: Summary,
        *,
        finished: bool = False,
        in_flight: Sequence[str] = (),
    ) -> None:
        """Adds results and the counts so far; without results it is only a heartbeat.

        `in_flight` are the keys of the cases that are being run.
        """
        parts = list(_parts(results, self._position))
        batches = [(self._run, start, packed([one.line for one in part])) for start, part in parts]
        facts = [(start, [fact_row(one.facts) for one in part if one.facts]) for start, part in parts]
        failing = [(storable(r.key),) for r in results if r.status in UNSUCCESSFUL]
        with transaction(self._store) as store:
            store.executemany("INSERT INTO batches (run, start, rows) VALUES (?, ?, ?)", batches)
            store.executemany(
                "INSERT INTO ready_facts (run, start, facts) VALUES (?, ?, ?)",
                [(self._run, start, packed_rows(rows)) for start, rows in facts],
            )
            if store.execute("SELECT 1 FROM failing LIMIT 1").fetchone():
                passing = [(storable(r.key),) for r in results if r.status is Status.PASSED]
                store.executemany("DELETE FROM failing WHERE key = ?", passing)
            store.executemany("INSERT OR IGNORE INTO failing VALUES (?)", failing)
            if (now := tuple(in_flight)) != self._in_flight:
                note_in_flight(store, self._run_id, now)
                self._in_flight = now
            found = store.execute(
                "UPDATE runs SET summary = ?, finished = ?, results = ?, seen_at = ? WHERE no = ?",
                (encoded(summary), finished, self._position + len(results), time.time(), self._run),
            )
            if found.rowcount == 0:
                raise HistoryProblem("another viva took this run for dead and removed it")
        self._position += len(results)

    def prune(self, keep: int, most_bytes: int, folder: Path) -> None:
        """Removes the oldest runs until at most `keep` are left, in few enough bytes; never a running one.

        Their facts stay. `folder` is the one of the history.
        """
        ended = [no for no, *rest in _others(self._store, self._run) if not is_alive(*rest)]
        for no in ended:
            (runs,) = self._store.execute("SELECT count(*) FROM runs").fetchone()
            if runs <= keep and _used_bytes(self._store) <= most_bytes:
                break
            with transaction(self._store) as store:
                _make_facts(store, folder, no)
                store.execute("DELETE FROM batches WHERE run = ?", (no,))
                store.execute("DELETE FROM runs WHERE no = ?", (no,))
        with transaction(self._store) as store:
            if _without_facts(store) > _MOST_WITHOUT_FACTS:
                _make_facts(store, folder, most=self._position)
            forget_oldest(store)
        # As a script: execute() would free only one page.
        patiently(lambda: self._store.executescript("PRAGMA incremental_vacuum"))


def _without_facts(store: sqlite3.Connection) -> int:
    """Returns of how many results no facts were made yet."""
    return store.execute("SELECT coalesce(sum(results - facts_upto), 0) FROM runs").fetchone()[0]


def _make_facts(store: sqlite3.Connection, folder: Path, run: int | None = None, *, most: int | None = None) -> None:
    from vivavoce.results.history.sorting_in import sort_in

    sort_in(store, folder, run, most=most)


def _parts(results: Sequence[NewResult], start: int) -> Iterator[tuple[int, Sequence[NewResult]]]:
    """Yields the lines in batches small enough to unpack for a single row."""
    part: list[NewResult] = []
    size = 0
    for result in results:
        if part and (len(part) == _MOST_TOGETHER or size + len(result.line) > _MOST_BYTES_TOGETHER):
            yield start, part
            start, part, size = start + len(part), [], 0
        part.append(result)
        size += len(result.line)
    if part:
        yield start, part


def _others(store: sqlite3.Connection, run: int) -> JsonArray:
    """Returns all other runs, oldest first."""
    return store.execute(
        "SELECT no, finished, host, pid, seen_at FROM runs WHERE no != ? ORDER BY no", (run,)
    ).fetchall()


def _used_bytes(store: sqlite3.Connection) -> int:
    def number(name: str) -> int:
        return store.execute(f"PRAGMA {name}").fetchone()[0]

    return (number("page_count") - number("freelist_count")) * number("page_size")
