"""How early an order finds failures: the figures of `make bench`."""

from collections.abc import Sequence


def apfd(failed: Sequence[bool]) -> float:
    """The average percentage of faults detected, for cases in the order they ran: 1 is best, about 0.5 is chance.

    Each failed case is a fault of its own. Raises ValueError when nothing failed.
    """
    places = [place for place, one in enumerate(failed, 1) if one]
    if not places:
        raise ValueError("there is no APFD of a run without failures")
    total = len(failed)
    return 1 - sum(places) / (total * len(places)) + 1 / (2 * total)


def time_to_find(failed: Sequence[bool], seconds: Sequence[float], share: float = 0.9) -> float:
    """How long it takes until this share of all failures has shown, one case after the other."""
    wanted = share * sum(failed)
    passed_s, found = 0.0, 0
    for one, took in zip(failed, seconds, strict=True):
        passed_s += took
        found += one
        if found >= wanted:
            return passed_s
    return passed_s
