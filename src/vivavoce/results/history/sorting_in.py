"""Puts the facts of kept runs into the tables that questions look in: when somebody asks, or before a run is removed.

Doing so while a run goes on would slow its conversations down. The facts are ready since the results were written;
where they are not, as in the store of an older viva, they are made from the rows.
"""

import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from vivavoce.model.result import RunInfo
from vivavoce.results.attachments import AttachmentStore
from vivavoce.results.history.fact_store import FactRow, add_facts, fact_row, run_number, unpacked_rows
from vivavoce.results.history.facts import facts_in
from vivavoce.results.history.records import unpacked
from vivavoce.results.wire import ResultRow

_WAITING = "SELECT no, info, results, facts_upto FROM runs WHERE facts_upto < results"
_STARTS = "SELECT start FROM batches WHERE run = ? AND start >= ? ORDER BY start"
_BATCH = "SELECT rows FROM batches WHERE run = ? AND start = ?"
_READY = "SELECT facts FROM ready_facts WHERE run = ? AND start = ?"
_NOT_NEEDED = "DELETE FROM ready_facts WHERE run = ? AND start < ?"
_info = msgspec.json.Decoder(RunInfo).decode
_row = msgspec.json.Decoder(ResultRow).decode
_UNREADABLE = (msgspec.MsgspecError, zlib.error, ValueError, TypeError)


def sort_in(store: sqlite3.Connection, folder: Path, run: int | None = None, *, most: int | None = None) -> None:
    """Makes the missing facts of all runs, or of the one with this number, inside the caller's transaction.

    `folder` is the one of the history, where attachments are too. What cannot be read gives no facts. With `most`, the
    rest waits once so many results were looked at.
    """
    chosen = store.execute(_WAITING) if run is None else store.execute(f"{_WAITING} AND no = ?", (run,))
    left = sys.maxsize if most is None else most
    for no, info, results, upto in chosen.fetchall():
        if left <= 0:
            return
        # Every batch is written and read as a whole, so no batch is handled only in part.
        starts = [start for (start,) in store.execute(_STARTS, (no, upto))]
        end = next((start for start in starts if start - upto >= left), results)
        with suppress(*_UNREADABLE):
            _sort_in(store, AttachmentStore(folder), no, _info(info), [start for start in starts if start < end])
        store.execute("UPDATE runs SET facts_upto = ? WHERE no = ?", (end, no))
        store.execute(_NOT_NEEDED, (no, end))
        left -= end - upto


def _sort_in(
    store: sqlite3.Connection, attachments: AttachmentStore, run: int, info: RunInfo, starts: Iterable[int]
) -> None:
    number: int | None = None
    for start in starts:
        facts = _ready(store, run, start)
        if facts is None:
            (packed,) = store.execute(_BATCH, (run, start)).fetchone()
            facts = list(_facts_in(info, map(attachments.fill, _lines(packed))))
        if facts:
            number = run_number(store, info) if number is None else number
            add_facts(store, number, facts)


def _ready(store: sqlite3.Connection, run: int, start: int) -> list[FactRow] | None:
    """The facts of a batch as they were when its results were written; None where there are none."""
    with suppress(*_UNREADABLE):
        if found := store.execute(_READY, (run, start)).fetchone():
            return unpacked_rows(found[0])
    return None


def _lines(packed: bytes) -> list[bytes]:
    try:
        return unpacked(packed)
    except _UNREADABLE:
        return []


def _facts_in(info: RunInfo, lines: Iterable[bytes]) -> Iterator[FactRow]:
    for line in lines:
        try:
            facts = facts_in(info, _row(line))
        except _UNREADABLE:
            continue
        if facts is not None:
            yield fact_row(facts)
