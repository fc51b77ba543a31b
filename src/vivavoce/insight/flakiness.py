"""Which cases are flaky: the same case, agent and code, and results that differ. Pure functions."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby, pairwise

from msgspec import Struct

from vivavoce.results.history.facts import AttemptFact, CaseFacts
from vivavoce.statistics.proportions import wilson_interval

LEAST_MINORITY = 3
"""A case is flaky when at least this many of its results differ from the usual one."""


class FlakyCase(Struct, frozen=True, kw_only=True):
    """A case whose results differ although nothing was changed."""

    key: str
    id: str
    agent: str
    runs: int
    passed: int
    flips: int
    """How often a result differs from the one before it."""
    since_ms: int
    since_revision: str | None
    """The revision of its first unusual result."""
    blamed: dict[str, int]
    """Failures by whose fault they were, also those that do not count."""
    source_known: bool
    """False for agents whose code viva cannot read: it may have changed meanwhile."""

    @property
    def interval(self) -> tuple[float, float]:
        return wilson_interval(self.passed, self.runs)


def flaky_cases(facts: Iterable[CaseFacts]) -> list[FlakyCase]:
    """Returns the flaky cases, the least steady first. `facts` are grouped by case, each oldest first."""
    found = (_judged(list(of_case)) for _, of_case in groupby(facts, key=lambda one: (one.key, one.agent)))
    flaky = [one for one in found if one is not None]
    return sorted(flaky, key=lambda one: min(one.passed, one.runs - one.passed) / one.runs, reverse=True)


def suspects(facts: Iterable[CaseFacts]) -> list[str]:
    """Returns the cases whose results differ, but not often enough to be called flaky."""
    return [
        key
        for (key, _), of_case in groupby(facts, key=lambda one: (one.key, one.agent))
        if 0 < sum(map(_minority, _versions(list(of_case)))) < LEAST_MINORITY
    ]


def _versions(of_case: list[CaseFacts]) -> list[list[tuple[CaseFacts, AttemptFact]]]:
    """The results of each version of case and agent: only different results of one version are a sign of flakiness."""
    versions: dict[tuple[str, str, str | None], list[tuple[CaseFacts, AttemptFact]]] = {}
    for one in of_case:
        versions.setdefault(one.content, []).extend((one, attempt) for attempt in one.attempts if attempt.blames_agent)
    return list(versions.values())


def _judged(of_case: list[CaseFacts]) -> FlakyCase | None:
    """Counts differing results only within one version of case and agent."""
    versions = _versions(of_case)
    mixed = [same for same in versions if _minority(same)]
    if sum(map(_minority, mixed)) < LEAST_MINORITY:
        return None
    counted = [result for same in versions for result in same]
    passed = sum(attempt.passed for _, attempt in counted)
    first = _first_of_minority(mixed[0])
    return FlakyCase(
        key=first.key,
        id=first.case_id,
        agent=first.agent,
        runs=len(counted),
        passed=passed,
        flips=sum(map(_flips, mixed)),
        since_ms=first.started_ms,
        since_revision=first.revision,
        blamed=dict(Counter(_blame(attempt) for one in of_case for attempt in one.attempts if not attempt.passed)),
        source_known=first.source_hash is not None,
    )


def _minority(same: list[tuple[CaseFacts, AttemptFact]]) -> int:
    passed = sum(attempt.passed for _, attempt in same)
    return min(passed, len(same) - passed)


def _first_of_minority(same: list[tuple[CaseFacts, AttemptFact]]) -> CaseFacts:
    usual = sum(attempt.passed for _, attempt in same) * 2 >= len(same)
    return next(one for one, attempt in same if attempt.passed != usual)


def _flips(same: list[tuple[CaseFacts, AttemptFact]]) -> int:
    outcomes = [attempt.passed for _, attempt in same]
    return sum(one != other for one, other in pairwise(outcomes))


def _blame(attempt: AttemptFact) -> str:
    return attempt.fault or "agent"
