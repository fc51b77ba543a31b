"""`--order risk`: which case is worth running next."""

from array import array
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeAlias

from msgspec import Struct

from vivavoce.insight.order.case_record import CaseRecord

DEFAULT_PRIORITY = 2
WEIGHTS = {0: 8.0, 1: 3.0, 2: 1.0, 3: 0.3}
"""What a failure of a case with this `priority` is worth."""
_PRIOR_RESULTS = 0.5
"""The failure rate of the suite counts as much as this many results of the case."""
_CHANGED_CASE = 0.5
"""An edited case has at least this chance to fail, about that of a case that never ran."""
_CHANGED_AGENT = 0.1
"""What a change of the agent adds to the chance to fail."""
_LEAST_S = 0.05
"""A case takes at least this long: starting and judging it."""


class Now(Struct, frozen=True, gc=False):
    """A case as it is about to run."""

    case_hash: str
    configuration_hash: str = ""
    source_hash: str | None = None
    priority: int | None = None


class Rank(Struct, frozen=True, order=True, gc=False):
    """Sorts the cases that are most worth running to the front."""

    known: bool
    """Cases that never ran come first."""
    worth: float
    """Expected failures a second, negated."""


def rank(record: CaseRecord | None, now: Now, suite_rate: float) -> Rank:
    """The rank of a case: unknown cases first, then by expected failures (weighted by priority) per second."""
    weight = WEIGHTS[DEFAULT_PRIORITY if now.priority is None else now.priority]
    if record is None or not record.results:
        return Rank(False, -weight)
    return Rank(True, -weight * chance_to_fail(record, now, suite_rate) / max(record.duration_ms / 1000, _LEAST_S))


def chance_to_fail(record: CaseRecord, now: Now, suite_rate: float) -> float:
    """An estimate from recent results, higher when the case or its agent changed since the last one."""
    chance = (record.failures + _PRIOR_RESULTS * suite_rate) / (record.results + _PRIOR_RESULTS)
    if record.case_hash != now.case_hash:
        chance = max(chance, _CHANGED_CASE)
    known = (record.configuration_hash, record.source_hash)
    if known != (now.configuration_hash, now.source_hash) or now.source_hash is None:
        # viva cannot see whether a remote agent is still the same.
        chance += (1 - chance) * _CHANGED_AGENT
    return chance


AnyRank: TypeAlias = Rank | float | bytes


def places_by(ranks: Sequence[AnyRank]) -> "array[int]":
    """The indexes sorted by rank, smallest first; equal ranks keep their order. All ranks are of one type."""
    return array("Q", sorted(range(len(ranks)), key=ranks.__getitem__))


def random_rank(key: str, seed: int) -> bytes:
    """The same for the same case and seed, whatever other cases there are."""
    return blake2b(f"{seed}\0{key}".encode(), digest_size=8).digest()
