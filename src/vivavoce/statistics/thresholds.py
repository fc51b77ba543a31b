"""From which score on should something pass? The limit that agrees best with a reference."""

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from vivavoce.statistics.agreement import agreement

_DIGITS = 3


class Threshold(NamedTuple):
    """A limit (a score that reaches it passes), and how far it agrees with the reference it was chosen by."""

    value: float
    rate: float
    kappa: float
    """NaN when everything passes, or nothing does, on both sides."""


def best_threshold(
    scores: Sequence[float], reference: Sequence[bool], passes_at: Callable[[float], Sequence[bool]]
) -> Threshold:
    """Returns the limit with the highest agreement; among equals that with the highest kappa, then the middle one.

    `passes_at` says what would pass at a limit. Limits between neighbouring scores are tried, and the lowest score.
    """
    tried: list[Threshold] = []
    for limit in _limits(sorted(set(scores))):
        found = agreement(passes_at(limit), reference)
        tried.append(Threshold(limit, found.rate, found.kappa))

    def worth(one: Threshold) -> tuple[float, float]:
        return round(one.rate, 12), -2.0 if math.isnan(one.kappa) else round(one.kappa, 12)

    best = max(map(worth, tried))
    equals = [one for one in tried if worth(one) == best]
    return equals[len(equals) // 2]


def _limits(scores: list[float]) -> list[float]:
    between = [_middle(low, high) for low, high in pairwise(scores)]
    return [scores[0], *between]


def _middle(low: float, high: float) -> float:
    middle = round((low + high) / 2, _DIGITS)
    return middle if low < middle <= high else high
