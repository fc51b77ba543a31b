"""Flaky cases on a simulated history: found where they are, nobody accused wrongly."""

import random

import pytest

from vivavoce.insight.flakiness import flaky_cases
from vivavoce.model.result import Status
from vivavoce.model.verdict import Fault
from vivavoce.results.history.facts import AttemptFact, CaseFacts

REVISIONS, RUNS = 20, 3


def result(case: int, revision: int, attempts: tuple[AttemptFact, ...], source: str | None = None) -> CaseFacts:
    return CaseFacts(
        key=f"a.jsonl::T{case:03}",
        case_id=f"T{case:03}",
        agent="shop",
        started_ms=revision,
        status=Status.PASSED,
        case_hash="same",
        source_hash=source or f"s{revision}",
        revision=f"r{revision}",
        attempts=attempts,
    )


def attempt(passed: bool, fault: Fault = "agent") -> AttemptFact:
    return AttemptFact(Status.PASSED) if passed else AttemptFact(Status.FAILED, fault)


def history(draw: random.Random, rates: list[float], changes_every: int = 1) -> list[CaseFacts]:
    """Every tenth case is really broken from the middle on; one attempt in a hundred fails because of the network.

    The agent's code changes every so many revisions, and in the one that breaks those cases.
    """
    facts: list[CaseFacts] = []
    for case, rate in enumerate(rates):
        for revision in range(REVISIONS):
            broken = case % 10 == 0 and rate > 0.99 and revision >= REVISIONS // 2
            attempts = tuple(
                attempt(False, "target") if draw.random() < 0.01 else attempt(not broken and draw.random() < rate)
                for _ in range(RUNS)
            )
            facts.append(result(case, revision, attempts, f"s{revision // changes_every}"))
    return facts


@pytest.mark.parametrize("changes_every", [1, 2, 5, 10])
@pytest.mark.parametrize("seed", [18, 19, 20])
def test_flaky_cases_are_found_and_steady_ones_are_not_accused(seed: int, changes_every: int):
    draw = random.Random(seed)
    rates = [draw.uniform(0.1, 0.9) if case % 4 == 1 else draw.choice((0.995, 1.0)) for case in range(200)]
    found = {one.id for one in flaky_cases(history(draw, rates, changes_every))}
    flaky = {f"T{case:03}" for case, rate in enumerate(rates) if rate <= 0.9}
    steady = {f"T{case:03}" for case, rate in enumerate(rates) if rate >= 0.995}
    assert len(found & flaky) >= 0.9 * len(flaky)
    assert len(found & steady) <= 0.02 * len(steady)


def test_faults_of_others_never_count_but_are_told():
    judge = tuple(attempt(False, "judge") for _ in range(5))
    assert flaky_cases([result(0, 1, (attempt(True), *judge), "s")]) == []
    mixed = (attempt(True), attempt(False), attempt(True), attempt(False), attempt(False), attempt(True), *judge)
    (found,) = flaky_cases([result(0, 1, mixed, "s")])
    assert (found.runs, found.passed, found.flips, found.since_revision) == (6, 3, 4, "r1")
    assert found.blamed == {"agent": 3, "judge": 5}


def test_a_break_that_came_with_a_change_is_not_flaky():
    before = [result(0, revision, (attempt(True),) * 3, "old") for revision in range(5)]
    after = [result(0, 9 + revision, (attempt(False),) * 3, "new") for revision in range(5)]
    assert flaky_cases([*before, *after]) == []
