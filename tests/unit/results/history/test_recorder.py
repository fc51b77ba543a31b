"""Runs are stored while they go on, and a store that fails disturbs nobody."""

import os
import sqlite3
import sys
import time
from pathlib import Path

import pytest
from msgspec import structs
from tests.fakes.kept_runs import CountingKeeper, info_named, kept_with
from tests.fakes.results import (
    plain,
    summary_of,
)

from vivavoce.model.events import CaseFinished, RunFinished, RunStarted
from vivavoce.results.history.reading import History
from vivavoce.results.history.records import RunState
from vivavoce.results.rows import row_line


def wait_for(condition) -> None:  # type: ignore[no-untyped-def]
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.01)


def a_dead_pid() -> int:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


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
    kept_with(store, "dead", [plain()])
    with sqlite3.connect(store) as change:
        change.execute("UPDATE runs SET finished = 0, pid = ?", (a_dead_pid(),))
    change.close()
    run = History(store).runs()[0]
    assert run.state is RunState.KILLED
    assert run.summary.interrupted == "killed"


def test_a_run_that_fell_silent_was_killed_though_its_number_is_in_use_again(store: Path):
    kept_with(store, "dead", [plain()])
    with sqlite3.connect(store) as change:
        change.execute("UPDATE runs SET finished = 0, pid = ?, seen_at = ?", (os.getpid(), time.time() - 3600))
    change.close()
    assert History(store).runs()[0].state is RunState.KILLED


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


def test_a_place_that_cannot_be_written_is_a_problem_and_nothing_more(tmp_path: Path):
    (tmp_path / "file").write_text("")
    reporter = kept_with(tmp_path / "file" / "history.db", "one", [plain()] * 3000)
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
    kept_with(store, "one", [plain()])
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
