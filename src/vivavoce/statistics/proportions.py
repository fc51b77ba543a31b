"""How sure one can be of a pass rate, and whether two of them differ."""

import math

_Z95 = 1.959963984540054


def wilson_interval(passed: int, runs: int, z: float = _Z95) -> tuple[float, float]:
    """Returns the interval in which the true rate lies with 95 % confidence; it is also right for few runs."""
    if runs == 0:
        return 0.0, 1.0
    rate = passed / runs
    spread = z * math.sqrt(rate * (1 - rate) / runs + z * z / (4 * runs * runs))
    centre = rate + z * z / (2 * runs)
    scale = 1 + z * z / runs
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def fisher_exact(passed_before: int, runs_before: int, passed_after: int, runs_after: int) -> float:
    """Returns the two-sided p-value of Fisher's exact test: how likely a split at least as uneven is by chance."""
    passed, runs = passed_before + passed_after, runs_before + runs_after

    def ways(passed_first: int) -> int:
        return math.comb(runs_before, passed_first) * math.comb(runs_after, passed - passed_first)

    seen = ways(passed_before)
    possible = range(max(0, passed - runs_after), min(runs_before, passed) + 1)
    return sum(ways(split) for split in possible if ways(split) <= seen) / math.comb(runs, passed)
