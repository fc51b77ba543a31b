from pathlib import Path

import pytest
from tests.fakes.kept_runs import begun, changed, keep_run
from tests.fakes.results import flaky, plain

from vivavoce.model.result import Status
from vivavoce.results.history.case_grid import CELLS, agents_known, case_grid, latest_runs
from vivavoce.results.history.database import open_to_write
from vivavoce.results.history.reading import History

DAY = 86_400


@pytest.fixture
def history(tmp_path: Path) -> History:
    """Three runs, a day after the other: `a` breaks in the second, `b` is not in it; the third has another agent."""
    store = tmp_path / "history.db"
    bad = changed(plain("a"), status=Status.FAILED, ms=3000)
    keep_run(store, "one", [plain("a"), plain("b")], started_at="2024-12-17T10:00:00Z", branch="main")
    keep_run(store, "two", [begun(bad, DAY)], started_at="2024-12-18T10:00:00Z")
    other = [begun(plain("a"), 2 * DAY), begun(plain("b"), 2 * DAY)]
    keep_run(store, "three", other, started_at="2024-12-19T10:00:00Z", agent_id="bank")
    return History(store)


def test_each_case_has_a_letter_for_each_run(history: History):
    runs = history.ask(lambda store: latest_runs(store, 10)[::-1]) or []
    assert [run.id for run in runs] == ["one", "two", "three"]
    assert runs[0].branch == "main"
    grid = history.ask(lambda store: case_grid(store, runs)) or []
    assert [(one.id, one.agent, one.cells) for one in grid] == [
        ("a", "assistants.expense", "PF."),
        ("a", "bank", "..P"),
        ("b", "assistants.expense", "P.."),
        ("b", "bank", "..P"),
    ]
    assert grid[0].typical_ms == 1200
    assert [(one.passed, one.attempts) for one in grid] == [(1, 2), (1, 1), (1, 1), (1, 1)]


def test_repeated_runs_are_counted_each(tmp_path: Path):
    keep_run(tmp_path / "history.db", "one", [flaky()])
    stability = flaky().stability
    assert stability is not None
    history = History(tmp_path / "history.db")
    [one] = history.ask(lambda store: case_grid(store, latest_runs(store, 1))) or []
    assert (one.passed, one.attempts) == (stability.passed, stability.runs)


def test_older_runs_and_one_agent_can_be_asked_for(history: History):
    assert [run.id for run in history.ask(lambda store: latest_runs(store, 1, skip=1)) or []] == ["two"]
    assert [run.id for run in history.ask(lambda store: latest_runs(store, 9, agent="bank")) or []] == ["three"]
    assert history.ask(agents_known) == ["assistants.expense", "bank"]


def test_a_removed_run_is_still_known_but_not_kept(history: History, tmp_path: Path):
    history.ask(agents_known)  # makes the facts
    store = open_to_write(tmp_path / "history.db")
    store.execute("DELETE FROM runs WHERE id = 'one'")
    store.close()
    runs = history.ask(lambda store: latest_runs(store, 10)) or []
    assert {run.id: run.is_kept for run in runs} == {"one": False, "two": True, "three": True}


def test_only_the_rows_of_the_wanted_runs_are_read(history: History):
    """SQLite finds the young rows of each case by the key, and sorts nothing."""
    question = f"EXPLAIN QUERY PLAN {CELLS.format(more='')}"
    plan = history.ask(lambda store: store.execute(question, (0, 1)).fetchall())
    words = " ".join(row[3] for row in plan or [])
    assert "PRIMARY KEY (case_no=? AND started>? AND started<?)" in words
    assert "TEMP B-TREE" not in words


def test_a_history_without_runs_has_no_answer(tmp_path: Path):
    assert History(tmp_path / "none.db").ask(agents_known) is None
