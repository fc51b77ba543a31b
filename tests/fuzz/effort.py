"""How hard the fuzzers try: a moment as part of `make test`, minutes under `make fuzz` (HYPOTHESIS_PROFILE=fuzz)."""

import os
from typing import Any

from hypothesis import HealthCheck, settings

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "fuzz"
TIMES = 20
"""How much longer a long run is."""


def tries(count: int, **more: Any) -> settings:
    """A test's settings: `count` examples in a short run. No example may take longer than a person would wait."""
    return settings(
        max_examples=count * TIMES if LONG else count,
        deadline=60_000,
        # The same short run for everybody: what a long one found is kept as an example in the test.
        derandomize=not LONG,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
        **more,
    )
