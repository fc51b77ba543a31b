"""How many random values a test tries."""

from hypothesis import settings


def at_most(usual: int) -> int:
    """`usual`; in `make quick` no more than its profile allows."""
    return min(usual, settings().max_examples) if settings.get_current_profile_name() == "quick" else usual
