"""How sure one can be of a pass rate, and whether two of them differ. p-values are exact fractions."""

import math
from fractions import Fraction
from typing import Literal, TypeAlias

_Z95 = 1.959963984540054

Alternative: TypeAlias = Literal["two-sided", "worse"]
"""What counts as at least as surprising: any uneven split, or only those with fewer passes after than before."""


def wilson_interval(passed: int, runs: int, z: float = _Z95) -> tuple[float, float]:
    """Returns the interval in which the true rate lies with 95 % confidence; it is also right for few runs."""
    if runs == 0:
        return 0.0, 1.0
    rate = passed / runs
    spread = z * math.sqrt(rate * (1 - rate) / runs + z * z / (4 * runs * runs))
    centre = rate + z * z / (2 * runs)
    scale = 1 + z * z / runs
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def fisher_exact(
    passed_before: int, runs_before: int, passed_after: int, runs_after: int, alternative: Alternative = "two-sided"
) -> Fraction:
    """Returns the p-value of Fisher's exact test: how likely a split at least as uneven is by chance."""
    passed, runs = passed_before + passed_after, runs_before + runs_after

    def ways(passed_first: int) -> int:
        return math.comb(runs_before, passed_first) * math.comb(runs_after, passed - passed_first)

    possible = range(max(0, passed - runs_after), min(runs_before, passed) + 1)
    if alternative == "worse":
        extreme = sum(ways(split) for split in possible if split >= passed_before)
    else:
        seen = ways(passed_before)
        extreme = sum(found for split in possible if (found := ways(split)) <= seen)
    return Fraction(extreme, math.comb(runs, passed))


def mcnemar_exact(only_before: int, only_after: int, alternative: Alternative = "two-sided") -> Fraction:
    """Returns the exact p-value for pairs: of the cases that changed, are as many better as worse?

    `only_before` passed before and not after, `only_after` the other way round; cases that stayed say nothing.
    """
    changed = only_before + only_after
    if alternative == "worse":
        return _upper_tail(only_before, changed)
    return min(Fraction(1), 2 * _upper_tail(max(only_before, only_after), changed))


def pass_hat_k(passed: int, runs: int, k: int) -> float:
    """Returns the chance that k runs drawn from these all passed (pass^k, without bias). Needs k <= runs."""
    if not 1 <= k <= runs:
        raise ValueError(f"pass^{k} needs at least {k} runs, there are {runs}")
    return math.comb(passed, k) / math.comb(runs, k)


def _upper_tail(at_least: int, tosses: int) -> Fraction:
    """The chance that a fair coin falls on one side `at_least` times."""
    return Fraction(sum(math.comb(tosses, heads) for heads in range(at_least, tosses + 1)), 2**tosses)
