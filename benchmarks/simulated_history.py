"""A suite that lives for a while: agents change, cases break and are mended, some are flaky, some are new.

Seeded, so that every machine sees the same history. What the orders of `viva test --order` make of it is in
`benchmarks/RESULTS.md`, and `tests/unit/insight/order/test_simulated_history.py` holds the promises.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from benchmarks.detection import apfd, time_to_find
from vivavoce.insight.order.case_record import CaseRecord, failure_rate
from vivavoce.insight.order.risk import AnyRank, Now, places_by, random_rank, rank
from vivavoce.model.result import Status
from vivavoce.project.case_order import NAMES, OrderName
from vivavoce.results.history.facts import AttemptFact, CaseFacts

AGENTS, CASES_EACH, REVISIONS, WARM_UP = 5, 40, 40, 8
_CHANGES, _BREAKS = 0.35, 0.5
"""How often an agent changes in a revision, and how often such a change breaks something."""
_BROKEN_SHARE = 0.15
_FLAKY_SHARE, _FLAKY_RATE = 0.05, 0.3
_NEW_SHARE = 0.1
"""Cases that come only later, and are more likely to fail at first."""


class SimulatedCase(Struct):
    key: str
    agent: str
    seconds: float
    flaky: bool
    since: int
    """The revision in which it was written."""
    broken_until: int = 0


class Suite(Struct):
    cases: list[SimulatedCase]
    sources: dict[str, str]
    """The content hash of each agent."""


class Found(NamedTuple):
    """How well an order did, on average over the revisions in which something failed."""

    apfd: float
    seconds: float
    """Until 90 % of the failures had shown."""


def simulate(seed: int) -> Iterator[tuple[Suite, list[SimulatedCase], dict[str, bool]]]:
    """Yields each revision: the suite, the cases it has by then, and which of them fail."""
    draw = random.Random(seed)
    cases = [
        SimulatedCase(
            key=f"tests/agent{agent}.jsonl::c{number}",
            agent=f"agent{agent}",
            seconds=min(60.0, draw.lognormvariate(1.2, 0.9)),
            flaky=draw.random() < _FLAKY_SHARE,
            since=draw.randint(WARM_UP, REVISIONS - 1) if draw.random() < _NEW_SHARE else 0,
        )
        for agent in range(AGENTS)
        for number in range(CASES_EACH)
    ]
    suite = Suite(cases, {f"agent{agent}": "0" for agent in range(AGENTS)})
    for revision in range(REVISIONS):
        for agent in suite.sources:
            if revision and draw.random() < _CHANGES:
                suite.sources[agent] = str(revision)
                if draw.random() < _BREAKS:
                    for case in cases:
                        if case.agent == agent and draw.random() < _BROKEN_SHARE:
                            case.broken_until = revision + draw.randint(1, 4)
        there = [case for case in cases if case.since <= revision]
        yield suite, there, {case.key: _fails(case, revision, draw) for case in there}


def compare_orders(seed: int, names: Sequence[OrderName] = NAMES) -> dict[OrderName, Found]:
    """What each order finds when, over a whole simulated history."""
    records: dict[tuple[str, str], CaseRecord] = {}
    found: dict[OrderName, list[Found]] = {name: [] for name in names}
    for revision, (suite, there, fails) in enumerate(simulate(seed)):
        if revision >= WARM_UP and any(fails.values()):
            for name in names:
                order = [there[place] for place in places_by([*map(_ranked(name, suite, records, revision), there)])]
                failed, seconds = [fails[case.key] for case in order], [case.seconds for case in order]
                found[name].append(Found(apfd(failed), time_to_find(failed, seconds)))
        for case in there:
            fact = _fact(case, suite, fails[case.key], revision)
            records.setdefault((case.key, case.agent), CaseRecord()).add(fact)
    return {
        name: Found(sum(one.apfd for one in all_) / len(all_), sum(one.seconds for one in all_) / len(all_))
        for name, all_ in found.items()
    }


def _ranked(
    name: OrderName, suite: Suite, records: dict[tuple[str, str], CaseRecord], revision: int
) -> Callable[[SimulatedCase], AnyRank]:
    rate = failure_rate(records)

    def ranked(case: SimulatedCase) -> AnyRank:
        record = records.get((case.key, case.agent))
        match name:
            case "file":
                return 0
            case "failed-first":
                return record is None or not record.last_failed
            case "fast":
                return case.seconds
            case "random":
                return random_rank(case.key, revision)
            case "risk":
                return rank(record, Now("case", source_hash=suite.sources[case.agent]), rate)

    return ranked


def _fails(case: SimulatedCase, revision: int, draw: random.Random) -> bool:
    if revision < case.broken_until:
        return True
    if case.flaky:
        return draw.random() < _FLAKY_RATE
    return draw.random() < (0.5 if case.since and case.since == revision else 0.005)


def _fact(case: SimulatedCase, suite: Suite, failed: bool, revision: int) -> CaseFacts:
    status = Status.FAILED if failed else Status.PASSED
    return CaseFacts(
        key=case.key,
        case_id=case.key,
        agent=case.agent,
        started_ms=revision,
        status=status,
        case_hash="case",
        source_hash=suite.sources[case.agent],
        attempts=(AttemptFact(status, "agent" if failed else None, case.seconds * 1000),),
    )
