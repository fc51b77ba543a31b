"""A history of 100,000 case results is asked in a fraction of the time that reading all of it takes."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from benchmarks.long_history import CASES, RUNS, write_long_history

from vivavoce.insight.flakiness import flaky_cases
from vivavoce.results.history.fact_store import FACTS_QUESTION
from vivavoce.results.history.reading import History

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def long_history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / ".viva" / "history.db"
    write_long_history(path)
    return path


def cpu_s(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


def test_the_flaky_cases_are_found_without_reading_the_steady_ones(long_history: Path):
    history = History(long_history)
    assert history.count_facts() == RUNS * CASES == 100_000
    read = list(history.unsteady_facts())
    assert len(read) < 0.35 * RUNS * CASES
    found = flaky_cases(read)
    assert {one.id for one in found} >= {f"T{case:03}" for case in range(0, CASES, 10)}
    assert found == flaky_cases(history.each_fact()), "nothing is missed by reading less"


def test_finding_them_costs_less_cpu_than_reading_everything(long_history: Path):
    """Both are measured together, so that a busy machine slows both down. Everything takes less than a second."""
    history = History(long_history)
    everything = min(cpu_s(lambda: list(history.each_fact())) for _ in range(3))
    flaky = min(cpu_s(lambda: flaky_cases(history.unsteady_facts())) for _ in range(3))
    assert flaky < 0.8 * everything


def test_one_case_is_looked_up_and_the_others_are_not_read(long_history: Path):
    found = History(long_history).facts("T010")
    assert len(found) == RUNS
    assert [
        step for step in plan_of(long_history, " WHERE (c.id = ? OR c.key = ?)") if step.startswith("SCAN f ")
    ] == []


def plan_of(path: Path, where: str) -> Iterator[str]:
    """How SQLite answers the question for facts."""
    store = sqlite3.connect(path)
    try:
        values = ("T010",) * where.count("?")
        for row in store.execute(f"EXPLAIN QUERY PLAN {FACTS_QUESTION}{where}", values).fetchall():
            yield row[-1]
    finally:
        store.close()
