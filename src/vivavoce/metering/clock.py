"""Unix time that never steps: one reading of the wall clock, continued by the monotonic clock.

Somebody may set the system's clock while a case runs, and an agent's own code may replace the functions of `time`
(freezegun does). Neither may make a slow agent look fast.
"""

from collections.abc import Callable
from time import perf_counter, time


def _stepless_clock(wall: Callable[[], float], steady: Callable[[], float]) -> Callable[[], float]:
    # The functions are kept here, where code that patches modules does not find them.
    anchor_s = wall() - steady()

    def now_ms() -> float:
        return (anchor_s + steady()) * 1000

    return now_ms


now_ms = _stepless_clock(time, perf_counter)
"""Returns Unix milliseconds."""
