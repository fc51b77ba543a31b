"""Unix time that never jumps: the wall clock read once, then continued by the monotonic clock.

Somebody may set the system clock while a case runs, and an agent's code may replace the functions of `time`
(freezegun does). Neither may make a slow agent look fast.
"""

from collections.abc import Callable
from time import perf_counter, time


def _stepless_clock(wall: Callable[[], float], steady: Callable[[], float]) -> Callable[[], float]:
    # Kept in a closure, where code that patches modules does not find them.
    anchor_s = wall() - steady()

    def now_ms() -> float:
        return (anchor_s + steady()) * 1000

    return now_ms


now_ms = _stepless_clock(time, perf_counter)
"""Returns Unix milliseconds."""
