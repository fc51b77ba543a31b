"""A history that grows does not make the pages slower: counted in steps of SQLite and bytes, not in seconds."""

import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from vivavoce.model.result import RunInfo, Status
from vivavoce.results.history.case_grid import case_grid, latest_runs
from vivavoce.results.history.database import open_to_write, transaction
from vivavoce.results.history.fact_store import add_facts, fact_row, run_number
from vivavoce.results.history.facts import AttemptFact, CaseFacts
from vivavoce.results.history.reading import History
from vivavoce.results.history.run_numbers import numbers_of_runs

CASES, SHOWN = 150, 30
DAY_S = 86_400
STEP = 100


def history_of(path: Path, runs: int) -> History:
    """One run a day, each with the same cases."""
    store = open_to_write(path)
    with transaction(store):
        for run in range(runs):
            began = 1_700_000_000 + run * DAY_S
            started = datetime.fromtimestamp(began, UTC).isoformat()
            info = RunInfo(run_id=f"run-{run}", started_at=started, agent_id="shop")
            facts = [
                CaseFacts(
                    key=f"t.jsonl::T{case}",
                    case_id=f"T{case}",
                    agent="shop",
                    started_ms=began * 1000 + case,
                    status=Status.PASSED if (run + case) % 7 else Status.FAILED,
                    case_hash="c",
                    attempts=(AttemptFact(Status.PASSED, None, 100.0 + case),),
                )
                for case in range(CASES)
            ]
            add_facts(store, run_number(store, info), [fact_row(one) for one in facts])
    store.close()
    return History(path)


def grid(store: Any) -> object:
    return case_grid(store, latest_runs(store, SHOWN))


def numbers(store: Any) -> object:
    runs = latest_runs(store, SHOWN + 1)
    return numbers_of_runs(store, runs[:SHOWN], runs[SHOWN:])


def steps_of(history: History, question: Callable[[Any], object]) -> int:
    """How many instructions SQLite's machine took, in hundreds."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    def counted(store: Any) -> object:
        store.set_progress_handler(count, STEP)
        return question(store)

    history.ask(counted)
    return steps


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> History:
    return history_of(tmp_path_factory.mktemp("long") / "history.db", 300)


@pytest.mark.parametrize("question", [grid, numbers])
def test_many_more_runs_cost_about_the_same(tmp_path: Path, long: History, question: Callable[[Any], object]):
    few = steps_of(history_of(tmp_path / "short.db", 40), question)
    # Only the list of the runs themselves is longer.
    assert steps_of(long, question) < 1.5 * few


@pytest.mark.parametrize("question", [grid, numbers])
def test_the_answer_takes_memory_for_what_is_shown_alone(long: History, question: Callable[[Any], object]):
    tracemalloc.start()
    long.ask(question)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000
