"""The history of a case in a few numbers: newer results weigh more."""

import pytest
from msgspec import structs

from vivavoce.insight.order.case_record import KEEPS, CaseRecord, failure_rate, records_of
from vivavoce.model.result import Status
from vivavoce.results.history.facts import AttemptFact, CaseFacts

PASS, FAIL = AttemptFact(Status.PASSED, duration_ms=100.0), AttemptFact(Status.FAILED, "agent", 300.0)
NETWORK = AttemptFact(Status.ERROR, "target", 50.0)


def facts(*attempts: AttemptFact, key: str = "a::T1", agent: str = "shop") -> CaseFacts:
    return CaseFacts(
        key=key,
        case_id="T1",
        agent=agent,
        started_ms=1,
        status=Status.PASSED,
        case_hash="h",
        configuration_hash="c",
        source_hash="s",
        attempts=attempts,
    )


def record(*results: CaseFacts) -> CaseRecord:
    (found,) = records_of(results).values()
    return found


def test_a_newer_failure_weighs_more_than_an_older_one():
    newer, older = record(facts(PASS), facts(FAIL)), record(facts(FAIL), facts(PASS))
    assert newer.failures == 1.0
    assert older.failures == KEEPS
    assert newer.results == older.results == 1 + KEEPS
    assert (newer.last_failed, older.last_failed) == (True, False)


def test_a_failure_of_the_network_says_little():
    assert record(facts(NETWORK)).failures == pytest.approx(0.3)
    assert record(facts(NETWORK)).last_failed


def test_repeated_attempts_are_one_result():
    assert record(facts(PASS, FAIL)).failures == 0.5
    assert record(facts(PASS, FAIL)).duration_ms == 200.0


def test_durations_follow_slowly_and_replays_not_at_all():
    first = record(facts(PASS))
    assert first.duration_ms == 100.0
    assert record(facts(PASS), facts(FAIL)).duration_ms == pytest.approx(KEEPS * 100 + (1 - KEEPS) * 300)
    replayed = structs.replace(FAIL, replayed=True)
    assert record(facts(PASS), facts(replayed)).duration_ms == 100.0


def test_a_result_without_attempts_changes_nothing():
    known = record(facts(FAIL))
    known.add(facts())
    assert known == record(facts(FAIL))


def test_cases_and_agents_are_kept_apart_in_any_order():
    found = records_of([facts(PASS), facts(FAIL, key="a::T2"), facts(FAIL), facts(PASS, agent="other")])
    assert {key: one.failures for key, one in found.items()} == {
        ("a::T1", "shop"): 1.0,
        ("a::T2", "shop"): 1.0,
        ("a::T1", "other"): 0.0,
    }
    assert found["a::T1", "shop"].source_hash == "s"


def test_the_failure_rate_of_all_and_of_nothing():
    assert failure_rate({}) == 0.5
    assert failure_rate(records_of([facts(PASS), facts(FAIL, key="a::T2")])) == 0.5
    assert failure_rate(records_of([facts(PASS)])) == 0.0
