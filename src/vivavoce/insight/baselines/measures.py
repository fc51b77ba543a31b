"""Did durations, tokens or cost grow over all cases together? Paired: each case is compared with itself."""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from msgspec import Struct

from vivavoce.insight.baselines.baseline import BaselineCase
from vivavoce.insight.growth_limits import COST, DURATION, TOKENS, GrowthLimits
from vivavoce.statistics.paired import hodges_lehmann, permutation_test
from vivavoce.statistics.power import fewest_pairs

Pair = tuple[BaselineCase, BaselineCase]
"""A case before and now."""


class Measured(Struct, frozen=True):
    """What is measured of each attempt."""

    limits: GrowthLimits
    values: Callable[[BaselineCase], Sequence[float]]


MEASURED = (
    Measured(DURATION, lambda case: case.durations_ms),
    Measured(TOKENS, lambda case: case.tokens),
    Measured(COST, lambda case: case.costs),
)


class MeasureChange(Struct, frozen=True, kw_only=True):
    """One measure over all cases."""

    name: str
    grown: str
    pairs: int
    p: Fraction
    limit: Fraction
    shift: float
    """The typical growth as a share: 0.2 is 20 % more (Hodges-Lehmann)."""
    low: float
    high: float
    """The 95 % interval of the shift."""
    regressed: bool
    pairs_needed: int
    """With fewer pairs, even growth in all of them could be chance."""


def has_values(measured: Measured, pairs: Sequence[Pair]) -> bool:
    return any(measured.values(before) and measured.values(after) for before, after in pairs)


def change_of(measured: Measured, pairs: Sequence[Pair], limit: Fraction) -> MeasureChange:
    """Compares logarithms, so that a slow case does not outweigh the others and the shift is a share."""
    limits = measured.limits
    logs: list[float] = []
    amounts: list[float] = []
    for before, after in pairs:
        old, new = measured.values(before), measured.values(after)
        if old and new:
            logs.append(_mean_log(new, limits.floor) - _mean_log(old, limits.floor))
            amounts.append(sum(new) / len(new) - sum(old) / len(old))
    p = permutation_test(logs)
    shift, low, high = hodges_lehmann(logs)
    middle = sorted(amounts)[len(amounts) // 2]
    matters = math.expm1(shift) >= limits.least_growth and middle >= limits.least_amount
    return MeasureChange(
        name=limits.name,
        grown=limits.grown,
        pairs=len(logs),
        p=p,
        limit=limit,
        shift=math.expm1(shift),
        low=math.expm1(low),
        high=math.expm1(high),
        regressed=p <= limit and matters,
        pairs_needed=fewest_pairs(limit),
    )


def _mean_log(values: Sequence[float], floor: float) -> float:
    return math.fsum(math.log(max(value, floor)) for value in values) / len(values)
