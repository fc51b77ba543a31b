"""What a comparison could not have seen: the power of its test, computed and not estimated."""

import math
from fractions import Fraction

from vivavoce.statistics.proportions import fisher_exact


def fisher_power(runs_before: int, runs_after: int, rate_before: float, rate_after: float, limit: Fraction) -> float:
    """Returns how often Fisher's one-sided test finds a drop between these true rates at this limit."""
    return math.fsum(
        _binomial(passed_before, runs_before, rate_before) * _binomial(passed_after, runs_after, rate_after)
        for passed_before in range(runs_before + 1)
        for passed_after in range(runs_after + 1)
        if fisher_exact(passed_before, runs_before, passed_after, runs_after, "worse") <= limit
    )


def fewest_pairs(limit: Fraction) -> int:
    """Returns how many pairs a permutation test needs before even growth in all of them can count."""
    pairs = 0
    while Fraction(1, 2**pairs) > limit:
        pairs += 1
    return pairs


def _binomial(passed: int, runs: int, rate: float) -> float:
    return math.comb(runs, passed) * rate**passed * (1 - rate) ** (runs - passed)
