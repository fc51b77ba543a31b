"""What the history keeps, and what it removes."""

import os
import sqlite3
import time
from pathlib import Path

from msgspec import structs
from tests.fakes.kept_runs import CountingKeeper, info_named, kept_with
from tests.fakes.results import (
    conversation,
    hostile,
    plain,
    summary_of,
    timed_out,
    wrong_argument,
)

from vivavoce.model.events import CaseFinished, RunFinished, RunStarted
from vivavoce.model.result import CaseResult, Status
from vivavoce.results.history.reading import History
from vivavoce.results.rows import row_line


def wait_for(condition) -> None:  # type: ignore[no-untyped-def]
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.01)


def noisy() -> CaseResult:
    """Half a megabyte that cannot be compressed."""
    (attempt,) = plain().attempts
    return structs.replace(plain(), attempts=(structs.replace(attempt, logs=os.urandom(400_000).hex()),))


def test_failing_keys_leave_when_they_pass_and_stay_when_they_do_not_run(store: Path):
    history = History(store)
    assert history.failing() is None
    kept_with(store, "one", [wrong_argument(), timed_out(), plain("ok")])
    broken = {wrong_argument().case.key, timed_out().case.key}
    assert history.failing() == broken
    fixed = structs.replace(wrong_argument(), status=Status.PASSED)
    kept_with(store, "two", [fixed])
    assert history.failing() == {timed_out().case.key}


def test_only_so_many_runs_are_kept(store: Path):
    for number in range(5):
        kept_with(store, f"run-{number}", [plain()], keep=3)
    assert [run.info.run_id for run in History(store).runs()] == ["run-4", "run-3", "run-2"]
    assert list(History(store).rows("run-1")) == []


def test_what_is_removed_is_given_back_to_the_disk(store: Path):
    for number in range(6):
        kept_with(store, f"run-{number}", [noisy()])
    before = store.stat().st_size
    kept_with(store, "last", [plain()], keep=1)
    assert store.stat().st_size < before / 4


def test_bytes_are_bounded_too(store: Path):
    for number in range(6):
        kept_with(store, f"run-{number}", [noisy()], most_bytes=1_500_000)
    ids = [run.info.run_id for run in History(store).runs()]
    assert ids[0] == "run-5"
    assert 1 <= len(ids) <= 3
    assert store.stat().st_size < 2_500_000


def test_a_run_that_goes_on_is_never_removed(store: Path):
    live = CountingKeeper(store)
    live.handle(RunStarted(info_named("live", 2)))
    wait_for(lambda: History(store).runs())
    for number in range(3):
        kept_with(store, f"run-{number}", [plain()], keep=1)
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
    kept_with(store, "big", [chatty])
    assert next(History(store).rows("big")) == row_line(chatty).rstrip()
    assert store.stat().st_size < 300_000


def test_text_that_is_no_text_does_not_stop_the_history(store: Path):
    odd = structs.replace(plain(), case=structs.replace(plain().case, id="half \ud83d", name="\udc00"))
    kept = kept_with(store, "odd", [odd, hostile()])
    assert kept.problem is None
    assert History(store).runs()[0].results == 2
