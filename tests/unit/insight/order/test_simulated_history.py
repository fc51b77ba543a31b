"""The promises of `--order risk` on a simulated history (benchmarks/simulated_history.py)."""

import pytest
from benchmarks.simulated_history import compare_orders


@pytest.mark.parametrize("seed", range(4))
def test_risk_is_ahead_of_every_other_order_and_needs_at_most_half_the_time_of_file_order(seed: int):
    found = compare_orders(seed)
    others = [found[name].apfd for name in found if name != "risk"]
    assert found["risk"].apfd > max(others)
    assert found["risk"].seconds <= 0.5 * found["file"].seconds
