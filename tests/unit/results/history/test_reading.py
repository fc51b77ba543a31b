"""Runs are read back unchanged and found by name."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.kept_runs import info_named, kept_with
from tests.fakes.results import (
    every_kind,
    plain,
    summary_of,
)

from vivavoce.errors import UsageError
from vivavoce.results.history.reading import History
from vivavoce.results.history.records import RunState
from vivavoce.results.rows import row_line


def test_a_finished_run_comes_back_word_for_word(store: Path):
    results = every_kind()
    assert kept_with(store, "run-one", results).problem is None
    history = History(store)
    (run,) = history.runs()
    assert run.info == info_named("run-one", len(results))
    assert run.summary == summary_of(results)
    assert (run.state, run.results) == (RunState.FINISHED, len(results))
    assert list(history.rows("run-one")) == [row_line(result).rstrip() for result in results]
    assert list(history.rows("run-one", 3)) == [row_line(result).rstrip() for result in results[3:]]


def test_a_reader_left_half_way_may_be_given_up_in_another_thread(store: Path):
    kept_with(store, "run-one", every_kind())
    rows: Any = History(store).rows("run-one")
    next(rows)
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(rows.close).result()


def test_one_row_is_found_by_its_place(store: Path):
    kept_with(store, "run-one", [plain("a"), plain("b")])
    first, rows = History(store).rows_around("run-one", 1)
    assert json.loads(rows[1 - first])["id"] == "b"
    assert list(History(store).rows("run-one", 2)) == []
    assert History(store).rows_around("no such run", 0) == (0, [])


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("last", "cccc3333"),
        ("last~1", "bbbb2222"),
        ("last~2", "aaaa1111"),
        ("aaaa1111", "aaaa1111"),
        ("bbbb", "bbbb2222"),
    ],
)
def test_a_run_is_found_by_place_id_or_the_beginning_of_one(store: Path, ref: str, found: str):
    for run_id in ("aaaa1111", "bbbb2222", "cccc3333"):
        kept_with(store, run_id, [plain()])
    assert History(store).find(ref).info.run_id == found


@pytest.mark.parametrize(
    ("ref", "said"),
    [
        ("last~3", "no run last~3: 3 kept"),
        ("zzzz", "no result file and no run"),
        ("aaa", "no result file and no run"),
        ("aaaa", "beginning of 2 runs"),
    ],
)
def test_a_run_that_cannot_be_found_says_why(store: Path, ref: str, said: str):
    for run_id in ("aaaa1111", "aaaa2222", "cccc3333"):
        kept_with(store, run_id, [plain()])
    with pytest.raises(UsageError, match=said):
        History(store).find(ref)


def test_without_a_store_there_is_no_history_and_none_is_made_by_looking(store: Path):
    history = History(store)
    assert (history.runs(), list(history.rows("x"))) == ([], [])
    assert not store.exists()
