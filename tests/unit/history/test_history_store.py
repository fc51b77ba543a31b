"""Runs are stored while they go on, and read back unchanged."""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.fakes.kept_runs import CountingKeeper
from tests.fakes.results import (
    conversation,
    every_kind,
    hostile,
    plain,
    run_info,
    summary_of,
    timed_out,
    wrong_argument,
)

from vivavoce.errors import UsageError
from vivavoce.model.events import CaseFinished, RunFinished, RunStarted
from vivavoce.model.result import CaseResult, RunInfo, Status
from vivavoce.results.history.database import HistoryProblem
from vivavoce.results.history.reading import History
from vivavoce.results.history.recorder import HistoryReporter
from vivavoce.results.history.records import RunState
from vivavoce.results.rows import row_line


def info_named(run_id: str, total: int = 1) -> RunInfo:
    return structs.replace(run_info(total), run_id=run_id)


def keep_run(path: Path, run_id: str, results: Iterable[CaseResult], **bounds: Any) -> HistoryReporter:
    results = list(results)
    reporter = CountingKeeper(path, **bounds)
    info = info_named(run_id, len(results))
    reporter.handle(RunStarted(info))
    for result in results:
        reporter.handle(CaseFinished(result))
    reporter.handle(RunFinished(info, summary_of(results)))
    reporter.close()
    return reporter


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / ".viva" / "history.db"


def wait_for(condition) -> None:  # type: ignore[no-untyped-def]
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.01)


def test_a_finished_run_comes_back_word_for_word(store: Path):
    results = every_kind()
    assert keep_run(store, "run-one", results).problem is None
    history = History(store)
    (run,) = history.runs()
    assert run.info == info_named("run-one", len(results))
    assert run.summary == summary_of(results)
    assert (run.state, run.results) == (RunState.FINISHED, len(results))
    assert list(history.rows("run-one")) == [row_line(result).rstrip() for result in results]
    assert list(history.rows("run-one", 3)) == [row_line(result).rstrip() for result in results[3:]]


def test_a_reader_left_half_way_may_be_given_up_in_another_thread(store: Path):
    keep_run(store, "run-one", every_kind())
    rows: Any = History(store).rows("run-one")
    next(rows)
    with ThreadPoolExecutor(1) as elsewhere:
        elsewhere.submit(rows.close).result()


def test_one_row_is_found_by_its_place(store: Path):
    keep_run(store, "run-one", [plain("a"), plain("b")])
    first, rows = History(store).rows_around("run-one", 1)
    assert json.loads(rows[1 - first])["id"] == "b"
    assert list(History(store).rows("run-one", 2)) == []
    assert History(store).rows_around("no such run", 0) == (0, [])


def test_a_run_in_progress_is_seen_from_outside(store: Path):
    reporter = CountingKeeper(store)
    reporter.handle(RunStarted(info_named("live", 3)))
    reporter.handle(CaseFinished(plain("a")))
    history = History(store)
    wait_for(lambda: history.runs() and history.runs()[0].results == 1)
    run = history.runs()[0]
    assert run.state is RunState.RUNNING
    assert (run.summary.passed, run.summary.not_run, run.summary.interrupted) == (1, 2, None)
    reporter.close()
    assert history.runs()[0].state is RunState.RUNNING, "this process is still there"


def test_a_run_whose_process_is_gone_was_killed(store: Path):
    keep_run(store, "dead", [plain()])
    with sqlite3.connect(store) as change:
        change.execute("UPDATE runs SET finished = 0, pid = ?", (a_dead_pid(),))
    change.close()
    run = History(store).runs()[0]
    assert run.state is RunState.KILLED
    assert run.summary.interrupted == "killed"


def test_a_run_that_fell_silent_was_killed_though_its_number_is_in_use_again(store: Path):
    keep_run(store, "dead", [plain()])
    with sqlite3.connect(store) as change:
        change.execute("UPDATE runs SET finished = 0, pid = ?, seen_at = ?", (os.getpid(), time.time() - 3600))
    change.close()
    assert History(store).runs()[0].state is RunState.KILLED


def a_dead_pid() -> int:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


def test_failing_keys_leave_when_they_pass_and_stay_when_they_do_not_run(store: Path):
    history = History(store)
    assert history.failing() is None
    keep_run(store, "one", [wrong_argument(), timed_out(), plain("ok")])
    broken = {wrong_argument().case.key, timed_out().case.key}
    assert history.failing() == broken
    fixed = structs.replace(wrong_argument(), status=Status.PASSED)
    keep_run(store, "two", [fixed])
    assert history.failing() == {timed_out().case.key}


def test_only_so_many_runs_are_kept(store: Path):
    for number in range(5):
        keep_run(store, f"run-{number}", [plain()], keep=3)
    assert [run.info.run_id for run in History(store).runs()] == ["run-4", "run-3", "run-2"]
    assert list(History(store).rows("run-1")) == []


def noisy() -> CaseResult:
    """Half a megabyte that cannot be compressed."""
    (attempt,) = plain().attempts
    return structs.replace(plain(), attempts=(structs.replace(attempt, logs=os.urandom(400_000).hex()),))


def test_what_is_removed_is_given_back_to_the_disk(store: Path):
    for number in range(6):
        keep_run(store, f"run-{number}", [noisy()])
    before = store.stat().st_size
    keep_run(store, "last", [plain()], keep=1)
    assert store.stat().st_size < before / 4


def test_bytes_are_bounded_too(store: Path):
    for number in range(6):
        keep_run(store, f"run-{number}", [noisy()], most_bytes=1_500_000)
    ids = [run.info.run_id for run in History(store).runs()]
    assert ids[0] == "run-5"
    assert 1 <= len(ids) <= 3
    assert store.stat().st_size < 2_500_000


def test_a_run_that_goes_on_is_never_removed(store: Path):
    live = CountingKeeper(store)
    live.handle(RunStarted(info_named("live", 2)))
    wait_for(lambda: History(store).runs())
    for number in range(3):
        keep_run(store, f"run-{number}", [plain()], keep=1)
    live.handle(CaseFinished(plain("late")))
    live.handle(RunFinished(info_named("live", 2), summary_of([plain("late")])))
    live.close()
    assert live.problem is None
    assert [run.info.run_id for run in History(store).runs()] == ["run-2", "live"]


def test_a_run_taken_for_dead_and_removed_is_a_problem_and_leaves_nothing_behind(store: Path):
    lost = CountingKeeper(store)
    lost.handle(RunStarted(info_named("lost", 2)))
    wait_for(lambda: History(store).runs())
    with sqlite3.connect(store) as change:
        change.execute("DELETE FROM runs")
    change.close()
    lost.handle(CaseFinished(plain()))
    lost.close()
    assert lost.problem is not None
    assert "removed" in lost.problem
    with sqlite3.connect(store) as look:
        assert look.execute("SELECT count(*) FROM batches").fetchone() == (0,)
    look.close()


def test_large_rows_are_kept_small(store: Path):
    result = conversation()
    (attempt,) = result.attempts
    chatty = structs.replace(result, attempts=(structs.replace(attempt, logs="the same again\n" * 100_000),))
    keep_run(store, "big", [chatty])
    assert next(History(store).rows("big")) == row_line(chatty).rstrip()
    assert store.stat().st_size < 300_000


def test_text_that_is_no_text_does_not_stop_the_history(store: Path):
    odd = structs.replace(plain(), case=structs.replace(plain().case, id="half \ud83d", name="\udc00"))
    kept = keep_run(store, "odd", [odd, hostile()])
    assert kept.problem is None
    assert History(store).runs()[0].results == 2


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
        keep_run(store, run_id, [plain()])
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
        keep_run(store, run_id, [plain()])
    with pytest.raises(UsageError, match=said):
        History(store).find(ref)


def test_without_a_store_there_is_no_history_and_none_is_made_by_looking(store: Path):
    history = History(store)
    assert (history.runs(), list(history.rows("x"))) == ([], [])
    assert not store.exists()


def test_a_newer_store_is_left_alone_by_writers_and_readers(store: Path):
    keep_run(store, "one", [plain()])
    with sqlite3.connect(store) as change:
        change.execute("PRAGMA user_version = 99")
    change.close()
    reporter = keep_run(store, "two", [plain()])
    assert reporter.problem is not None
    assert "newer viva" in reporter.problem
    with pytest.raises(HistoryProblem, match=r"newer viva \(version 99"):
        History(store).runs()


@pytest.mark.memory
def test_huge_results_are_kept_without_piling_up(store: Path):
    reporter = CountingKeeper(store)
    reporter.handle(RunStarted(info_named("huge", 30)))
    for n in range(30):
        (attempt,) = plain(f"case {n}").attempts
        loud = structs.replace(attempt, logs=f"{n}" * 4_000_000)
        reporter.handle(CaseFinished(structs.replace(plain(f"case {n}"), attempts=(loud,))))
    reporter.close()
    assert reporter.problem is None
    assert len(list(History(store).rows("huge"))) == 30


def test_a_store_of_the_first_version_is_read_and_written_on(store: Path):
    keep_run(store, "one", [plain("a")])
    with sqlite3.connect(store) as change:
        # As it was: what lists and comparisons need was kept beside the rows.
        change.execute("ALTER TABLE batches ADD COLUMN outcomes BLOB NOT NULL DEFAULT ''")
        change.execute("ALTER TABLE batches ADD COLUMN heads BLOB NOT NULL DEFAULT ''")
        change.execute("PRAGMA user_version = 1")
    change.close()
    history = History(store)
    assert len(list(history.rows("one"))) == 1
    assert keep_run(store, "two", [plain("b")]).problem is None
    assert [json.loads(row)["id"] for run in ("one", "two") for row in history.rows(run)] == ["a", "b"]


@pytest.mark.parametrize(
    "content", [b"this is no database at all, not even nearly" * 100, b"SQLite format 3\0" + b"x" * 5000]
)
def test_a_broken_store_is_said_in_words(store: Path, content: bytes):
    store.parent.mkdir()
    store.write_bytes(content)
    reporter = keep_run(store, "one", [plain()])
    assert reporter.problem is not None
    with pytest.raises(HistoryProblem, match="cannot be read"):
        History(store).runs()
    assert store.read_bytes() == content


def test_a_place_that_cannot_be_written_is_a_problem_and_nothing_more(tmp_path: Path):
    (tmp_path / "file").write_text("")
    reporter = keep_run(tmp_path / "file" / "history.db", "one", [plain()] * 3000)
    assert reporter.problem is not None


def test_once_the_store_has_failed_nothing_is_kept_for_it(tmp_path: Path):
    (tmp_path / "file").write_text("")
    line = row_line(plain())
    reporter = CountingKeeper(tmp_path / "file" / "history.db")
    reporter.handle(RunStarted(info_named("one")))
    wait_for(lambda: reporter.problem is not None)
    before = sys.getrefcount(line)
    reporter.handle(CaseFinished(plain(), line))
    assert sys.getrefcount(line) == before
    reporter.close()


def test_a_locked_store_holds_up_nobody_and_loses_nothing(store: Path):
    keep_run(store, "one", [plain()])
    other = sqlite3.connect(store, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    reporter = CountingKeeper(store)
    began = time.monotonic()
    info = info_named("two", 500)
    reporter.handle(RunStarted(info))
    for number in range(500):
        reporter.handle(CaseFinished(plain(f"c{number}")))
    assert time.monotonic() - began < 20
    other.execute("COMMIT")
    other.close()
    reporter.handle(RunFinished(info, summary_of([plain()])))
    reporter.close()
    assert reporter.problem is None
    assert History(store).runs()[0].results == 500


def test_several_runs_are_written_at_once(store: Path):
    reporters = [CountingKeeper(store) for _ in range(4)]
    for number, reporter in enumerate(reporters):
        reporter.handle(RunStarted(info_named(f"run-{number}", 100)))
    for case in range(100):
        for reporter in reporters:
            reporter.handle(CaseFinished(plain(f"c{case}")))
    for number, reporter in enumerate(reporters):
        reporter.handle(RunFinished(info_named(f"run-{number}", 100), summary_of([plain()] * 100)))
        reporter.close()
    assert [reporter.problem for reporter in reporters] == [None] * 4
    assert sorted((run.info.run_id, run.results) for run in History(store).runs()) == [
        (f"run-{number}", 100) for number in range(4)
    ]


def test_the_store_keeps_itself_out_of_version_control(store: Path):
    keep_run(store, "one", [plain()])
    assert (store.parent / ".gitignore").read_text() == "*\n"
