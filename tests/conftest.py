"""Which tests are slow (`make quick` leaves those out), and no test of random values depends on the clock."""

import gc
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

if settings.get_current_profile_name() != "ci":  # which is the one with CI set, and has no clock in it either
    settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("unhurried")
settings.register_profile("quick", settings(), max_examples=10)

# A suite in the background (`make test &`) inherits that Ctrl-C is ignored, and so would each `viva` that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

FOLDERS = {"browser": "browser", "fuzz": "fuzz", "live": "live"}
"""Folders of which every test has the same mark."""
PLANTED = "test_planted"
"""How the names of files begin whose tests bend hundreds of answers each: they have the mark `fuzz` too."""
QUICK_COMMANDS = frozenset({"bad_input", "early_interrupt", "report_schema", "show", "yao_packages"})
"""Files of tests/cli that `make quick` runs. All others start so many processes that they have the mark `process`."""
COSTLY = frozenset((Path(__file__).parent / "slow_tests.txt").read_text().split())
"""Tests that use more than a quarter of a second of CPU; tests/measuring.py writes the list."""


HERE = Path(__file__).parent


def marks_of_file(path: Path) -> list[str]:
    """The slow marks that every test of a file has."""
    folder = path.relative_to(HERE).parts[0] if path.is_relative_to(HERE) else ""
    marks = [FOLDERS[folder]] if folder in FOLDERS else []
    if path.stem.startswith(PLANTED):
        marks.append("fuzz")
    if folder == "cli" and path.stem.startswith("test_") and path.stem.removeprefix("test_") not in QUICK_COMMANDS:
        marks.append("process")
    return marks


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Spares `make quick` the imports of files that hold slow tests only."""
    leaves_out_slow = config.getoption("markexpr") == "not slow"
    return True if leaves_out_slow and collection_path.suffix == ".py" and marks_of_file(collection_path) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collects without the garbage collector, which would look at each of 16,000 tests again and again.

    Freezing afterwards keeps it from looking at them while they run.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Makes Ctrl-C a KeyboardInterrupt again.

    After `main()` of viva it ends the process at once. A later test that sends one would end the whole suite.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Marks as `slow` every test with one of the marks that pyproject.toml calls slow."""
    slow = {line.partition(":")[0] for line in config.getini("markers") if line.endswith("(slow)")}
    marks_of = {path: marks_of_file(path) for path in {item.path for item in items}}
    for item in items:
        for mark in marks_of[item.path]:
            item.add_marker(mark)
        if item.nodeid.partition("[")[0].removeprefix("tests/") in COSTLY:
            item.add_marker("costly")
        if not slow.isdisjoint(mark.name for mark in item.iter_markers()):
            item.add_marker("slow")
