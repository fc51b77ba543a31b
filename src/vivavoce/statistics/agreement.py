"""Do two raters agree, a judge and a person for example, more than by chance?"""

import math
from collections.abc import Sequence
from typing import NamedTuple

_Z95 = 1.959963984540054


class Agreement(NamedTuple):
    """How far two raters agree."""

    rate: float
    """The share of things both rated alike."""
    kappa: float
    """Cohen's kappa: 1 is full agreement, 0 what chance would give. NaN when both always said the same one thing."""
    low: float
    high: float
    """The 95 % interval of kappa."""


def agreement(first: Sequence[object], second: Sequence[object]) -> Agreement:
    """Returns how far two raters of the same things agree. The interval is that of Fleiss, Cohen and Everitt (1969)."""
    if len(first) != len(second) or not first:
        raise ValueError("agreement needs two ratings of each thing, and at least one thing")
    total = len(first)
    pairs = list(zip(first, second, strict=True))
    categories = sorted(set(first) | set(second), key=repr)
    of_first = {one: sum(rated == one for rated in first) / total for one in categories}
    of_second = {one: sum(rated == one for rated in second) / total for one in categories}
    rate = sum(one == other for one, other in pairs) / total
    by_chance = sum(of_first[one] * of_second[one] for one in categories)
    if by_chance == 1:
        return Agreement(rate, math.nan, math.nan, math.nan)
    kappa = (rate - by_chance) / (1 - by_chance)
    variance = -((kappa - by_chance * (1 - kappa)) ** 2)
    for one, other in pairs:
        if one == other:
            variance += (1 - (of_first[one] + of_second[one]) * (1 - kappa)) ** 2 / total
        else:
            variance += (1 - kappa) ** 2 * (of_second[one] + of_first[other]) ** 2 / total
    spread = _Z95 * math.sqrt(max(0.0, variance) / total) / (1 - by_chance)
    return Agreement(rate, kappa, max(-1.0, kappa - spread), min(1.0, kappa + spread))
