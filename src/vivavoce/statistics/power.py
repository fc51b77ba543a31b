"""What a comparison could not have seen: the power of each design, computed and not estimated."""

import math
from fractions import Fraction

from vivavoce.statistics.proportions import fisher_exact, mcnemar_exact


def fisher_power(runs_before: int, runs_after: int, rate_before: float, rate_after: float, limit: Fraction) -> float:
    """Returns how often Fisher's one-sided test finds a drop between these true rates at this limit."""
    return math.fsum(
        _binomial(passed_before, runs_before, rate_before) * _binomial(passed_after, runs_after, rate_after)
        for passed_before in range(runs_before + 1)
        for passed_after in range(runs_after + 1)
        if fisher_exact(passed_before, runs_before, passed_after, runs_after, "worse") <= limit
    )


def mcnemar_power(pairs: int, worse: float, better: float, limit: Fraction) -> float:
    """Returns how often the one-sided paired test fires when cases get worse or better with these chances."""
    stays = 1 - worse - better
    return math.fsum(
        math.comb(pairs, lost)
        * math.comb(pairs - lost, won)
        * worse**lost
        * better**won
        * stays ** (pairs - lost - won)
        for lost in range(pairs + 1)
        for won in range(pairs - lost + 1)
        if mcnemar_exact(lost, won, "worse") <= limit
    )


def fewest_pairs(limit: Fraction) -> int:
    """Returns how many pairs a permutation test needs before even growth in all of them can count."""
    pairs = 0
    while Fraction(1, 2**pairs) > limit:
        pairs += 1
    return pairs


def runs_needed(
    rate_before: float,
    rate_after: float,
    limit: Fraction,
    power: float = 0.8,
    runs_before: int | None = None,
    most: int = 60,
) -> int | None:
    """Returns the fewest runs that see this drop with this power; None when `most` are not enough.

    Without `runs_before` both sides have as many runs; with it only the new side grows.
    """
    for runs in range(1, most + 1):
        if fisher_power(runs_before or runs, runs, rate_before, rate_after, limit) >= power:
            return runs
    return None


def _binomial(passed: int, runs: int, rate: float) -> float:
    return math.comb(runs, passed) * rate**passed * (1 - rate) ** (runs - passed)
