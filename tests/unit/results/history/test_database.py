"""The file of the history: versions, damage, and where it lies."""

import json
import sqlite3
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.kept_runs import kept_with
from tests.fakes.random_values import at_most
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
        change.execute("ALTER TABLE runs DROP COLUMN facts_upto")
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
    with pytest.raises(HistoryProblem, match="was damaged and is set aside as history"):
        History(store).runs()
    assert History(store).runs() == []
    (aside,) = store.parent.glob("history.damaged-*")
    assert aside.read_bytes() == content
    aside.rename(store)
    reporter = kept_with(store, "one", [plain()])
    assert reporter.problem is None
    assert "is set aside as history.damaged-" in str(reporter.notice)
    assert [run.info.run_id for run in History(store).runs()] == ["one"]


@settings(max_examples=at_most(60), deadline=None)
@given(st.data())
def test_flipped_bytes_anywhere_are_a_problem_in_words(data: st.DataObject):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "history.db"
        content = bytearray(_sound_store())
        for place in data.draw(st.lists(st.integers(0, len(content) - 1), min_size=1, max_size=100)):
            content[place] ^= data.draw(st.integers(1, 255))
        path.write_bytes(content[: data.draw(st.integers(0, len(content)))] if data.draw(st.booleans()) else content)
        history = History(path)
        for _ in range(2):
            with suppress(HistoryProblem):
                for run in history.runs():
                    assert all(isinstance(row, bytes) for row in history.rows(run.info.run_id))
                history.failing()


@cache
def _sound_store() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / ".viva" / "history.db"
        for run in ("one", "two"):
            kept_with(path, run, [plain(f"T{n}") for n in range(20)])
        return path.read_bytes()


def test_the_store_keeps_itself_out_of_version_control(store: Path):
    kept_with(store, "one", [plain()])
    assert (store.parent / ".gitignore").read_text() == "*\n"
