"""Which cases a live run is at work on, as its process last said."""

import sqlite3
from collections.abc import Sequence

import msgspec

from vivavoce.results.history.fact_store import storable

_TABLE = "CREATE TABLE IF NOT EXISTS in_flight (run TEXT PRIMARY KEY, keys BLOB NOT NULL) WITHOUT ROWID"
_keys = msgspec.json.Decoder(list[str])


def note_in_flight(store: sqlite3.Connection, run_id: str, keys: Sequence[str]) -> None:
    """Replaces the cases stored before; a run without any is removed."""
    store.execute(_TABLE)
    store.execute("DELETE FROM in_flight WHERE run = ?", (storable(run_id),))
    if keys:
        written = msgspec.json.encode([storable(key) for key in keys])
        store.execute("INSERT INTO in_flight VALUES (?, ?)", (storable(run_id), written))


def read_in_flight(store: sqlite3.Connection) -> dict[str, list[str]]:
    """Returns the keys of cases by the ids of their runs; empty for a store that no live run has written to."""
    if not store.execute("SELECT 1 FROM sqlite_master WHERE name = 'in_flight'").fetchone():
        return {}
    return {run_id: _keys.decode(keys) for run_id, keys in store.execute("SELECT run, keys FROM in_flight")}
