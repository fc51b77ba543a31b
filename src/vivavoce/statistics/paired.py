"""Two measurements of the same cases: did durations, tokens or cost move, and by how much?"""

import math
import random
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from operator import add, getitem
from statistics import NormalDist

_EXACT_UP_TO = 20
"""Pairs whose signs are tried in every combination (a million sums); with more, combinations are drawn."""
_DRAWS = 9_999
_EXACT_RANKS_UP_TO = 200


def permutation_test(differences: Sequence[float], seed: int = 0) -> Fraction:
    """Returns how likely a sum at least this high is when each difference might as well have the other sign.

    One-sided: only growth counts. Exact for few pairs, else from seeded draws; the draws count what was seen as one
    of them, so that p is never 0 and false alarms stay as rare as promised.
    """
    moved = [difference for difference in differences if difference]
    if not moved:
        return Fraction(1)
    scale = max(map(abs, moved))
    moved = [difference / scale for difference in moved]
    seen = math.fsum(moved) - 1e-12 * len(moved)
    if len(moved) <= _EXACT_UP_TO:
        return Fraction(_sums_of_at_least(seen, [abs(difference) for difference in moved]), 2 ** len(moved))
    reached = sum(drawn >= seen for drawn in _drawn_sums(moved, seed))
    return Fraction(reached + 1, _DRAWS + 1)


def shift_test(differences: Sequence[float], seed: int = 0) -> Fraction:
    """The same two-sided: how likely a sum at least this far from 0 is, on either side."""
    moved = [difference for difference in differences if difference]
    if not moved:
        return Fraction(1)
    scale = max(map(abs, moved))
    moved = [difference / scale for difference in moved]
    seen = abs(math.fsum(moved)) - 1e-12 * len(moved)
    if len(moved) <= _EXACT_UP_TO:
        reached = _sums_of_at_least(seen, [abs(difference) for difference in moved])
        return min(Fraction(1), 2 * Fraction(reached, 2 ** len(moved)))
    reached = sum(abs(drawn) >= seen for drawn in _drawn_sums(moved, seed))
    return Fraction(reached + 1, _DRAWS + 1)


def hodges_lehmann(differences: Sequence[float], confidence: float = 0.95) -> tuple[float, float, float]:
    """Returns the shift (the median of all pairwise means) and its confidence interval.

    Few pairs cannot give 95 %: the interval is then as wide as the data.
    """
    if not differences:
        raise ValueError("a shift needs at least one pair")
    ordered = sorted(differences)
    means = len(ordered) * (len(ordered) + 1) // 2
    outside = _means_outside(len(ordered), (1 - confidence) / 2)
    middle = (_pairwise_mean(ordered, (means + 1) // 2) + _pairwise_mean(ordered, means // 2 + 1)) / 2
    return middle, _pairwise_mean(ordered, outside + 1), _pairwise_mean(ordered, means - outside)


def _pairwise_mean(ordered: list[float], rank: int) -> float:
    """Finds the mean of two values (or one twice) with this rank, without building all the means."""
    low, high = ordered[0], ordered[-1]
    while low < (middle := low + (high - low) / 2) < high:
        if _pairs_up_to(ordered, 2 * middle) >= rank:
            high = middle
        else:
            low = middle
    return low if _pairs_up_to(ordered, 2 * low) >= rank else high


def _pairs_up_to(ordered: list[float], limit: float) -> int:
    found, last = 0, len(ordered) - 1
    for first, value in enumerate(ordered):
        while last >= first and value + ordered[last] > limit:
            last -= 1
        if last < first:
            break
        found += last - first + 1
    return found


def _sums_of_at_least(limit: float, sizes: list[float]) -> int:
    """Counts the choices of signs whose sum reaches the limit: the sums of both halves meet in the middle."""
    half = len(sizes) // 2
    left, right = _signed_sums(sizes[:half]), sorted(_signed_sums(sizes[half:]))
    return sum(len(right) - bisect_left(right, limit - one) for one in left)


def _drawn_sums(moved: list[float], seed: int) -> Iterator[float]:
    """Yields the sums under seeded random signs. Eight signs at a time are looked up: sixteen times as fast."""
    tables = [_sums_by_bits(moved[at : at + 8]) for at in range(0, len(moved), 8)]
    draw = random.Random(seed)
    for _ in range(_DRAWS):
        bits = draw.getrandbits(len(moved)).to_bytes(len(tables), "little")
        yield sum(map(getitem, tables, bits))


def _sums_by_bits(sizes: list[float]) -> list[float]:
    """Returns the sum for each pattern of bits: a bit that is set keeps the sign of its value."""
    sums = [0.0]
    for size in sizes:
        sums = [*(total - size for total in sums), *(total + size for total in sums)]
    return sums


def _signed_sums(sizes: list[float]) -> list[float]:
    sums = [0.0]
    for size in sizes:
        sums = [total + sign for total in sums for sign in (size, -size)]
    return sums


def _means_outside(count: int, tail: float) -> int:
    """How many of the pairwise means lie outside the interval on each side (Wilcoxon's signed ranks)."""
    if count > _EXACT_RANKS_UP_TO:
        spread = math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
        return math.floor(count * (count + 1) / 4 + NormalDist().inv_cdf(tail) * spread - 0.5)
    ways = [1]
    for rank in range(1, count + 1):
        ways = list(map(add, ways + [0] * rank, [0] * rank + ways))
    rare = Fraction(tail) * 2**count
    return max(0, bisect_right(list(accumulate(ways)), rare) - 1)
