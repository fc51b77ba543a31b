import time

import pytest

from vivavoce.metering import clock


def test_a_wall_clock_that_steps_back_is_read_once_only():
    wall, steady = iter([1000.0]), iter([5.0, 6.0, 8.5])
    now_ms = clock._stepless_clock(lambda: next(wall), lambda: next(steady))  # pyright: ignore[reportPrivateUsage]
    assert now_ms() == 1_001_000
    assert now_ms() == 1_003_500


def test_it_is_unix_time():
    assert abs(clock.now_ms() - time.time() * 1000) < 60_000


def test_who_replaces_the_functions_of_time_does_not_stop_it(monkeypatch: pytest.MonkeyPatch):
    def frozen() -> float:
        return 1.0

    for module in (time, clock):
        monkeypatch.setattr(module, "perf_counter", frozen)
        monkeypatch.setattr(module, "time", frozen)
    first = clock.now_ms()
    while clock.now_ms() == first:
        pass
    assert clock.now_ms() > first
