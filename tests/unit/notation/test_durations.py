"""Durations as people write and read them."""

import pytest

from vivavoce.notation.durations import format_duration


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.23, "230ms"), (1.2, "1.2s"), (30.0, "30s"), (150.0, "2m30s"), (3900.0, "1h5m"), (float("inf"), "forever")],
)
def test_a_time_is_as_short_as_it_reads_well(seconds: float, shown: str):
    assert format_duration(seconds) == shown
