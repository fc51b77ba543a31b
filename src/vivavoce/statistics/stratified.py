"""Many cases, each with its own pass rate: did passes become rarer over all of them together?"""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

_EXACT_UP_TO = 150
"""Cases that are added up in whole numbers; with more, in floating point, which is exact to about 12 digits."""


class Stratum(NamedTuple):
    """One case: runs and passes before and after."""

    passed_before: int
    runs_before: int
    passed_after: int
    runs_after: int


def stratified_exact(strata: Sequence[Stratum]) -> Fraction:
    """Returns how likely so few passes after are by chance, when each case keeps its own pass rate (one-sided).

    Each case's passes are thought to be dealt out at random over its runs before and after. With one run each this is
    the exact paired test (McNemar), with one case it is Fisher's.
    """
    mixed = [one for one in strata if _is_mixed(one)]
    if not mixed:
        return Fraction(1)
    seen = sum(one.passed_after - _least(one) for one in mixed)
    whole = len(mixed) <= _EXACT_UP_TO
    ways: list[float] = [1] if whole else [1.0]
    for one in mixed:
        dealt = _ways(one)
        if not whole:
            total = sum(dealt)
            dealt = [way / total for way in dealt]
        ways = _convolved(ways, dealt, seen)
    if not whole:
        return Fraction(min(1.0, math.fsum(ways)))
    possible = math.prod(math.comb(one.runs_before + one.runs_after, _passed(one)) for one in mixed)
    return Fraction(int(sum(ways)), possible)


def _passed(one: Stratum) -> int:
    return one.passed_before + one.passed_after


def _is_mixed(one: Stratum) -> bool:
    """Whether the case can say something: it ran on both sides, and did not always end the same way."""
    return bool(one.runs_before and one.runs_after and 0 < _passed(one) < one.runs_before + one.runs_after)


def _least(one: Stratum) -> int:
    """The fewest passes that can fall on the runs after."""
    return max(0, _passed(one) - one.runs_before)


def _ways(one: Stratum) -> list[float]:
    """In how many ways each number of passes after can come about, from the fewest possible on."""
    passed = _passed(one)
    return [
        math.comb(one.runs_after, after) * math.comb(one.runs_before, passed - after)
        for after in range(_least(one), min(one.runs_after, passed) + 1)
    ]


def _convolved(ways: list[float], dealt: list[float], most: int) -> list[float]:
    """Returns the sums of both up to `most`: only those as small as what was seen count."""
    summed: list[float] = [0] * min(len(ways) + len(dealt) - 1, most + 1)
    for at, first in enumerate(ways):
        for more, second in enumerate(dealt[: max(0, len(summed) - at)]):
            summed[at + more] += first * second
    return summed
