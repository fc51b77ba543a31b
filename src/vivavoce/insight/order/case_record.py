"""The results of one case and agent in the history, summed up in a few numbers."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from vivavoce.results.history.facts import AttemptFact, CaseFacts

KEEPS = 0.6
"""The weight of a result shrinks by this factor with each later one."""
_NOT_THE_AGENT = 0.3
"""The weight of a failure caused by a network, judge or hook: it says little about the next run."""


class CaseRecord(Struct, gc=False):
    """Changed in place: there is one for each case of the history."""

    failures: float = 0.0
    """Failed results, the newest with weight 1, each older one with less."""
    results: float = 0.0
    """All results with the same weights."""
    duration_ms: float = 0.0
    """The duration of one attempt; recent ones weigh more."""
    last_failed: bool = False
    case_hash: str = ""
    configuration_hash: str = ""
    source_hash: str | None = None

    def add(self, fact: CaseFacts) -> None:
        """Adds a later result. One without a judged attempt does not count."""
        if not fact.attempts:
            return
        share = sum(map(_failed, fact.attempts)) / len(fact.attempts)
        live = [attempt.duration_ms for attempt in fact.attempts if not attempt.replayed]
        if live:
            took = sum(live) / len(live)
            self.duration_ms = KEEPS * self.duration_ms + (1 - KEEPS) * took if self.duration_ms else took
        self.failures = KEEPS * self.failures + share
        self.results = KEEPS * self.results + 1
        self.last_failed = not all(attempt.passed for attempt in fact.attempts)
        self.case_hash = fact.case_hash
        self.configuration_hash = fact.configuration_hash
        self.source_hash = fact.source_hash


def records_of(facts: Iterable[CaseFacts]) -> dict[tuple[str, str], CaseRecord]:
    """By case key and agent. The facts of each case come oldest first; those of several cases may be mixed."""
    found: dict[tuple[str, str], CaseRecord] = {}
    for fact in facts:
        record = found.get((fact.key, fact.agent))
        if record is None:
            record = found[fact.key, fact.agent] = CaseRecord()
        record.add(fact)
    return found


def failure_rate(records: Mapping[tuple[str, str], CaseRecord]) -> float:
    """The share of recent results that failed, over all cases; a half when nothing is known."""
    results = sum(record.results for record in records.values())
    return sum(record.failures for record in records.values()) / results if results else 0.5


def _failed(attempt: AttemptFact) -> float:
    if attempt.passed:
        return 0.0
    return 1.0 if attempt.blames_agent else _NOT_THE_AGENT
