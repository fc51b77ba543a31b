"""Entries of the quarantine: which case one names, when it ends, when its case is steady again."""

from datetime import date

import pytest

from vivavoce.insight.quarantine.quarantine_entry import QuarantineEntry, passed_in_a_row
from vivavoce.model.result import Status
from vivavoce.results.history.facts import AttemptFact, CaseFacts

KEY = "tests/a.jsonl::T1"
PASS, FAIL = AttemptFact(Status.PASSED), AttemptFact(Status.FAILED, "agent")
BROKEN = AttemptFact(Status.ERROR, "target")


def entry(case: str = KEY, agent: str | None = None) -> QuarantineEntry:
    return QuarantineEntry(case=case, agent=agent, why="flaky", until=date(2026, 12, 31))


@pytest.mark.parametrize("case", ["T1", KEY, "a.jsonl::T1", "shop/tests/a.jsonl::T1"])
def test_a_case_is_named_by_its_id_its_key_or_the_end_of_it(case: str):
    assert entry(case).names(KEY, "T1", "shop")


@pytest.mark.parametrize("case", ["T2", "b.jsonl::T1", "1", "sts/a.jsonl::T1"])
def test_another_case_is_not_named(case: str):
    assert not entry(case).names(KEY, "T1", "shop")


def test_an_agent_is_named_or_left_open():
    assert entry(agent="shop").names(KEY, "T1", "shop")
    assert not entry(agent="shop").names(KEY, "T1", "other")


def test_the_last_day_still_counts():
    assert not entry().is_over(date(2026, 12, 31))
    assert entry().is_over(date(2027, 1, 1))


@pytest.mark.parametrize(
    ("attempts", "row"),
    [((), 0), ((PASS, PASS), 2), ((FAIL, PASS), 1), ((PASS, FAIL), 0), ((PASS, BROKEN, PASS), 2)],
)
def test_passes_in_a_row_end_at_a_failure_of_the_agent(attempts: tuple[AttemptFact, ...], row: int):
    facts = [
        CaseFacts(key=KEY, case_id="T1", agent="a", started_ms=at, status=Status.PASSED, case_hash="h", attempts=(one,))
        for at, one in enumerate(attempts)
    ]
    assert passed_in_a_row(facts) == row
