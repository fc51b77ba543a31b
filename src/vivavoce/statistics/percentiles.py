"""Percentiles of ordered values."""

import math
from collections.abc import Sequence


def percentile(ordered: Sequence[float], percent: int) -> float | None:
    """Returns the smallest value that so many percent do not exceed (nearest rank); None without values."""
    return ordered[max(0, math.ceil(percent * len(ordered) / 100) - 1)] if ordered else None
