"""Which tests are slow (`make quick` leaves those out), and no test of random values depends on the clock."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

if settings.get_current_profile_name() != "ci":  # which is the one with CI set, and has no clock in it either
    settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("unhurried")
settings.register_profile("quick", settings(), max_examples=15)

FOLDERS = {"browser": "browser", "fuzz": "fuzz", "live": "live"}
"""Folders of which every test has the same mark."""
PLANTED = "test_planted"
"""How the names of files begin whose tests bend hundreds of answers each: they have the mark `fuzz` too."""
MANY_COMMANDS = frozenset(
    [
        "asking",
        "bombs",
        "closed_pipe",
        "commands",
        "extract",
        "faults",
        "flags_of_test",
        "floods",
        "full_disk",
        "generators",
        "guard_process",
        "helpers_checked",
        "hostile_input",
        "interrupted_searches",
        "network_blame",
        "overwriting",
        "plugins",
        "poisoned_output",
        "private_results",
        "redirects",
        "results_of_0_1_0",
        "resumed_exam",
        "run_hooks",
        "secrets",
        "tape",
        "tapes",
        "unchecked_cases",
        "users_environment",
        "validate",
        "view",
        "workspaces",
    ]
)
"""Files of tests/cli that start so many processes that all of them have the mark `process`."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks as `slow` every test with one of the marks that pyproject.toml calls slow."""
    here = Path(__file__).parent
    slow = [line.partition(":")[0] for line in config.getini("markers") if line.endswith("(slow)")]
    for item in items:
        folder = item.path.relative_to(here).parts[0] if item.path.is_relative_to(here) else ""
        if mark := FOLDERS.get(folder):
            item.add_marker(mark)
        if item.path.stem.startswith(PLANTED):
            item.add_marker("fuzz")
        if folder == "cli" and item.path.stem.removeprefix("test_") in MANY_COMMANDS:
            item.add_marker("process")
        if any(item.get_closest_marker(mark) for mark in slow):
            item.add_marker("slow")
