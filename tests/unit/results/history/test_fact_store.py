"""Facts in the store: kept beyond their runs, never counted twice."""

import sqlite3
from pathlib import Path

from msgspec import structs
from tests.fakes.kept_runs import changed, keep_run, kept_with
from tests.fakes.results import plain

from vivavoce.model.result import CaseResult, Status
from vivavoce.results.history.database import open_to_write
from vivavoce.results.history.fact_store import forget_oldest
from vivavoce.results.history.reading import History


def at(result: CaseResult, ms: float) -> CaseResult:
    """The same result, begun at another time."""
    return structs.replace(result, attempts=tuple(structs.replace(a, started_ms=ms) for a in result.attempts))


def test_facts_stay_when_their_run_is_removed(store: Path):
    for number in range(4):
        kept_with(store, f"run{number}", [at(plain("A"), 1000 + number), at(plain("B"), 1000 + number)], keep=2)
    history = History(store)
    assert [run.info.run_id for run in history.runs()] == ["run3", "run2"]
    assert [(f.case_id, f.run_id) for f in history.facts()] == [
        (case, f"run{number}") for case in "AB" for number in range(4)
    ]


def test_one_case_is_found_by_id_key_and_the_end_of_its_key(store: Path):
    keep_run(store, "one", [at(plain("A"), 1), at(plain("BA"), 2)], agent_id="shop", revision="abc", title="try")
    history = History(store)
    for name in ("A", "tests/expense.jsonl::A", "expense.jsonl::A"):
        (found,) = history.facts(name)
        assert (found.case_id, found.agent, found.revision, found.title) == ("A", "shop", "abc", "try")
    assert history.facts("::A") == history.facts("A", agent="other") == []


def test_the_same_result_from_a_resumed_run_counts_once(store: Path):
    keep_run(store, "one", [at(plain("A"), 1)])
    keep_run(store, "two", [at(plain("A"), 1), at(changed(plain("B"), status=Status.FAILED), 2)])
    assert [(f.case_id, f.run_id, f.status) for f in History(store).facts()] == [
        ("A", "one", Status.PASSED),
        ("B", "two", Status.FAILED),
    ]


def test_a_store_of_the_second_version_gets_its_facts_when_somebody_asks(store: Path):
    keep_run(store, "one", [at(plain("A"), 1)])
    with sqlite3.connect(store) as change:
        for table in ("facts", "fact_runs", "fact_cases"):
            change.execute(f"DROP TABLE {table}")
        change.execute("ALTER TABLE runs DROP COLUMN facts_upto")
        change.execute("PRAGMA user_version = 2")
    change.close()
    history = History(store)
    assert [facts.run_id for facts in history.facts()] == ["one"]
    assert [run.info.run_id for run in history.runs()] == ["one"]
    keep_run(store, "two", [at(plain("A"), 2)])
    assert [facts.run_id for facts in history.facts()] == ["one", "two"]
    assert [run.info.run_id for run in history.runs()] == ["two", "one"]


def test_the_facts_of_a_store_of_the_third_version_are_not_made_again(store: Path):
    keep_run(store, "one", [at(plain("A"), 1)])
    assert len(History(store).facts()) == 1
    with sqlite3.connect(store) as change:
        change.execute("UPDATE facts SET status = 'failed'")
        change.execute("ALTER TABLE runs DROP COLUMN facts_upto")
        change.execute("PRAGMA user_version = 3")
    change.close()
    assert [facts.status for facts in History(store).facts()] == [Status.FAILED]
    open_to_write(store).close()
    with sqlite3.connect(store) as look:
        assert look.execute("SELECT facts_upto, results FROM runs").fetchall() == [(1, 1)]
    look.close()


def test_the_oldest_are_forgotten_once_there_are_too_many(store: Path):
    for number in range(10):
        keep_run(store, f"run{number}", [at(plain("A"), 1000 + number), at(plain("B"), 1000 + number)])
    keep_run(store, "last", [at(plain("B"), 2000)])
    assert len(History(store).facts()) == 21
    with open_to_write(store) as writing:
        forget_oldest(writing, most=10)
    left = History(store).facts()
    assert len(left) == 9
    assert min(facts.started_ms for facts in left) == 1006
