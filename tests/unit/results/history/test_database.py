"""The file of the history: versions, damage, and where it lies."""

import json
import sqlite3
from pathlib import Path

import pytest
from tests.fakes.kept_runs import kept_with
from tests.fakes.results import (
    plain,
)

from vivavoce.results.history.database import HistoryProblem
from vivavoce.results.history.reading import History


def test_a_newer_store_is_left_alone_by_writers_and_readers(store: Path):
    kept_with(store, "one", [plain()])
    with sqlite3.connect(store) as change:
        change.execute("PRAGMA user_version = 99")
    change.close()
    reporter = kept_with(store, "two", [plain()])
    assert reporter.problem is not None
    assert "newer viva" in reporter.problem
    with pytest.raises(HistoryProblem, match=r"newer viva \(version 99"):
        History(store).runs()


def test_a_store_of_the_first_version_is_read_and_written_on(store: Path):
    kept_with(store, "one", [plain("a")])
    with sqlite3.connect(store) as change:
        # As it was: what lists and comparisons need was kept beside the rows.
        change.execute("ALTER TABLE batches ADD COLUMN outcomes BLOB NOT NULL DEFAULT ''")
        change.execute("ALTER TABLE batches ADD COLUMN heads BLOB NOT NULL DEFAULT ''")
        change.execute("PRAGMA user_version = 1")
    change.close()
    history = History(store)
    assert len(list(history.rows("one"))) == 1
    assert kept_with(store, "two", [plain("b")]).problem is None
    assert [json.loads(row)["id"] for run in ("one", "two") for row in history.rows(run)] == ["a", "b"]


@pytest.mark.parametrize(
    "content", [b"this is no database at all, not even nearly" * 100, b"SQLite format 3\0" + b"x" * 5000]
)
def test_a_broken_store_is_said_in_words(store: Path, content: bytes):
    store.parent.mkdir()
    store.write_bytes(content)
    reporter = kept_with(store, "one", [plain()])
    assert reporter.problem is not None
    with pytest.raises(HistoryProblem, match="cannot be read"):
        History(store).runs()
    assert store.read_bytes() == content


def test_the_store_keeps_itself_out_of_version_control(store: Path):
    kept_with(store, "one", [plain()])
    assert (store.parent / ".gitignore").read_text() == "*\n"
