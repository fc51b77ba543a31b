"""The SQLite file of the history: its tables, its version, and opening it for writing or reading."""

import os
import sqlite3
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

from vivavoce.errors import VivaError
from vivavoce.project.private_files import make_state_folder, private_opener
from vivavoce.project.project import Project
from vivavoce.results.history.fact_store import FACT_TABLES

T = TypeVar("T")

SCHEMA_VERSION = 5
_APPLICATION_ID = 0x76697661  # "viva"
_BUSY_S = 5.0
_PATIENCE_S = 30.0
_NO_WAITING = 0.05

# What was committed together lies together: lines of the result file, compressed.
_TABLES = f"""
CREATE TABLE runs (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  info BLOB NOT NULL,
  summary BLOB NOT NULL,
  finished INTEGER NOT NULL DEFAULT 0,
  results INTEGER NOT NULL DEFAULT 0,
  revision TEXT,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  seen_at REAL NOT NULL,
  facts_upto INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE batches (
  run INTEGER NOT NULL,
  start INTEGER NOT NULL,
  rows BLOB NOT NULL,
  PRIMARY KEY (run, start)
);
CREATE TABLE failing (key TEXT PRIMARY KEY) WITHOUT ROWID;
{FACT_TABLES}
"""
_FACTS_UPTO = "ALTER TABLE runs ADD COLUMN facts_upto INTEGER NOT NULL DEFAULT 0"
"""Of how many results of a run the facts are in their tables."""
_STEPS = {
    0: _TABLES,
    1: f"ALTER TABLE batches DROP COLUMN outcomes; ALTER TABLE batches DROP COLUMN heads;{FACT_TABLES} {_FACTS_UPTO}",
    2: f"{FACT_TABLES} {_FACTS_UPTO}",
    3: f"{FACT_TABLES} {_FACTS_UPTO}; UPDATE runs SET facts_upto = results",
    4: FACT_TABLES,
}
"""What brings a store of an older version to this one."""


class HistoryProblem(VivaError):
    """The history file cannot be used."""


def history_file(project: Project) -> Path:
    return project.state_dir / "history.db"


def open_to_write(path: Path) -> sqlite3.Connection:
    """Opens the history for writing and creates it if needed. Raises HistoryProblem, sqlite3.Error or OSError."""
    make_state_folder(path.parent)
    if not path.exists():
        os.close(private_opener(str(path), os.O_CREAT | os.O_WRONLY))
    return patiently(lambda: _opened_to_write(path))


def open_to_read(path: Path) -> sqlite3.Connection | None:
    """Opens the history for reading; returns None when there is none. Raises HistoryProblem."""
    if not path.exists():
        return None
    try:
        return patiently(lambda: _opened_to_read(path, "mode=rw"))
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise damaged(path, error) from None
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise damaged(path, error) from None
    try:
        # On a read-only disk no other process writes.
        return _opened_to_read(path, "immutable=1")
    except sqlite3.DatabaseError as error:
        raise damaged(path, error) from None


def patiently(action: Callable[[], T]) -> T:
    """Retries, for a limited time, while another process has locked the database."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return action()
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            if not busy or time.monotonic() > until:
                raise
            time.sleep(_NO_WAITING)


def damaged(path: Path, error: Exception) -> HistoryProblem:
    """Returns the problem of a store that cannot be read. A damaged store is set aside first."""
    if isinstance(error, sqlite3.Error) and not is_damage(error):
        is_locked = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        hint = "another program holds it: try again when that is done" if is_locked else None
        return HistoryProblem(f"the history cannot be read: {error}", at=str(path), hint=hint)
    aside = set_aside(path)
    if aside is None:
        return HistoryProblem(f"the history is damaged: {error}", at=str(path), hint="move the file away to start anew")
    return HistoryProblem(
        f"the history was damaged and is set aside as {aside.name}: {error}",
        at=str(path),
        hint="the next run begins a new one",
    )


@contextmanager
def transaction(store: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """One transaction; what it wrote is undone when an exception comes out of it."""
    # IMMEDIATE: waits for other writers at the beginning, before anything was done.
    patiently(lambda: store.execute("BEGIN IMMEDIATE"))
    try:
        yield store
        store.execute("COMMIT")
    finally:
        if store.in_transaction:
            store.execute("ROLLBACK")


def is_damage(error: Exception) -> bool:
    """Whether the file itself is wrong, and not the disk, the rights or another process."""
    if isinstance(error, UnicodeDecodeError):
        return True  # sqlite's own complaint quotes the damaged bytes
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def set_aside(path: Path) -> Path | None:
    """Renames a damaged store and what belongs to it; returns its new path, or None where that is not possible."""
    stem = f"{path.stem}.damaged-{time.strftime('%Y%m%d%H%M%S')}"
    number, aside = 1, path.with_name(f"{stem}{path.suffix}")
    while aside.exists():
        number += 1
        aside = path.with_name(f"{stem}-{number}{path.suffix}")
    try:
        path.rename(aside)
        for belonging in ("-wal", "-shm"):
            beside = path.with_name(f"{path.name}{belonging}")
            if beside.exists():
                beside.rename(aside.with_name(f"{aside.name}{belonging}"))
    except OSError:
        return None
    return aside


def _opened_to_write(path: Path) -> sqlite3.Connection:
    # Transactions are begun explicitly: sqlite3 would begin them too late to wait for the lock.
    store = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
    with ExitStack() as unless_ready:
        unless_ready.callback(store.close)
        version = _version_of(store, path)
        if version == 0:
            store.execute("PRAGMA auto_vacuum = INCREMENTAL")
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = NORMAL")
        store.execute(f"PRAGMA journal_size_limit = {16 << 20}")
        if version < SCHEMA_VERSION:
            bring_up_to_date(store)
        unless_ready.pop_all()
    return store


def _opened_to_read(path: Path, how: str) -> sqlite3.Connection | None:
    # A cursor that was not read to its end may be closed in another thread than it was opened in.
    store = sqlite3.connect(
        f"{path.absolute().as_uri()}?{how}",
        uri=True,
        timeout=_BUSY_S,
        isolation_level=None,
        check_same_thread=False,
    )
    with ExitStack() as unless_ready:
        unless_ready.callback(store.close)
        store.execute("PRAGMA query_only = 1")
        if _version_of(store, path) == 0:
            # Another process is just creating the tables.
            return None
        unless_ready.pop_all()
    return store


def bring_up_to_date(store: sqlite3.Connection) -> None:
    """Gives the store of an older viva the tables of this one, and an empty one all of them."""
    store.execute("BEGIN IMMEDIATE")
    # Another process may have created them while this one waited for the lock.
    version = _pragma(store, "user_version")
    if version < SCHEMA_VERSION:
        for statement in _STEPS[version].split(";"):
            store.execute(statement)
        store.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
        store.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    store.execute("COMMIT")


def facts_are_missing(store: sqlite3.Connection) -> bool:
    """Whether there are results whose facts are not in their tables yet. An older viva's store has not all tables."""
    if _pragma(store, "user_version") < SCHEMA_VERSION:
        return True
    return store.execute("SELECT 1 FROM runs WHERE facts_upto < results LIMIT 1").fetchone() is not None


def _version_of(store: sqlite3.Connection, path: Path) -> int:
    version = _pragma(store, "user_version")
    if version > SCHEMA_VERSION:
        raise HistoryProblem(
            f"the history was written by a newer viva (version {version}; this one knows {SCHEMA_VERSION})",
            at=str(path),
            hint="update viva, or move the file away to start anew",
        )
    return version


def _pragma(store: sqlite3.Connection, name: str) -> int:
    return store.execute(f"PRAGMA {name}").fetchone()[0]
