"""Many cases, each with one new value and several earlier ones: are the new ones larger than chance explains?"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import TypeAlias

RankStratum: TypeAlias = tuple[float, Sequence[float]]
"""The new value of a case, and its earlier ones."""
_EXACT_UP_TO = 20
"""Cases whose ranks are added up exactly; with more, their sum is normal for all practical purposes."""


def stratified_rank_test(strata: Sequence[RankStratum]) -> float:
    """Returns how likely new values rank so high among the earlier ones of their case by chance (one-sided).

    In each case the new value is thought to be as likely at any place of the order. Only ranks count, so one wild value
    decides nothing. With one case this is the exact rank-sum test of one value against the others.
    """
    ranked = [_doubled_ranks(new, earlier) for new, earlier in strata if earlier]
    if not ranked:
        return 1.0
    seen = sum(rank for rank, _ in ranked)
    if len(ranked) > _EXACT_UP_TO:
        return _normal_tail(seen, [possible for _, possible in ranked])
    ways = {0: 1}
    for _, possible in ranked:
        summed: dict[int, int] = {}
        for total, count in ways.items():
            for rank in possible:
                summed[total + rank] = summed.get(total + rank, 0) + count
        ways = summed
    extreme = sum(count for total, count in ways.items() if total >= seen)
    return extreme / math.prod(len(possible) for _, possible in ranked)


def _doubled_ranks(new: float, earlier: Sequence[float]) -> tuple[int, list[int]]:
    """Returns twice the rank of the new value, and twice the rank of every value: ties share the middle rank."""
    ordered = sorted((new, *earlier))

    def rank(value: float) -> int:
        return bisect_left(ordered, value) + bisect_right(ordered, value) + 1

    return rank(new), [rank(value) for value in ordered]


def _normal_tail(seen: int, possible: Sequence[Sequence[int]]) -> float:
    """With a correction for the steps of the sum."""
    mean = math.fsum(math.fsum(ranks) / len(ranks) for ranks in possible)
    variance = math.fsum(
        math.fsum((rank - math.fsum(ranks) / len(ranks)) ** 2 for rank in ranks) / len(ranks) for ranks in possible
    )
    if not variance:
        return 1.0
    return 0.5 * math.erfc((seen - 1 - mean) / math.sqrt(2 * variance))
