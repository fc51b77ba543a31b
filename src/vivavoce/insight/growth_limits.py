"""From when on a growth of durations, tokens or cost is worth a report: the same for baselines and for drift."""

from msgspec import Struct


class GrowthLimits(Struct, frozen=True, kw_only=True):
    name: str
    grown: str
    """The word for growth: `slower`, `wordier` or `dearer`."""
    least_growth: float
    """Growth below this share is not reported, however certain it is."""
    least_amount: float = 0.0
    """The same as an amount: the median over the cases."""
    floor: float
    """Smaller values count as this one: differences below it are noise."""


DURATION = GrowthLimits(name="duration", grown="slower", least_growth=0.10, least_amount=50.0, floor=1.0)
"""In milliseconds."""
TOKENS = GrowthLimits(name="tokens", grown="wordier", least_growth=0.05, floor=1.0)
COST = GrowthLimits(name="cost", grown="dearer", least_growth=0.05, floor=1e-9)
