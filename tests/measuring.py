"""A pytest plug-in that writes tests/slow_tests.txt: the tests that use more CPU than `make quick` has for them.

CPU, not time: the list is about the same on a busy machine. `make slow-tests` runs it.
"""

import resource
from collections.abc import Generator
from pathlib import Path

import pytest

LIMIT_S = 0.25
LIST = Path(__file__).with_name("slow_tests.txt")
ALWAYS_QUICK = "unit/test_architecture.py"
"""Belongs to every run, whatever it takes."""
_used: dict[str, float] = {}


def cpu_s() -> float:
    """What this process and the children that have ended used so far."""
    both = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    before = cpu_s()
    try:
        return (yield)
    finally:
        name = item.nodeid.partition("[")[0].removeprefix("tests/")
        _used[name] = max(_used.get(name, 0.0), cpu_s() - before)


def pytest_sessionfinish() -> None:
    LIST.write_text(listed(LIST.read_text().split(), _used))


def listed(before: list[str], used: dict[str, float]) -> str:
    """The new list. What did not run this time stays in it."""
    slow = {name for name, seconds in used.items() if seconds > LIMIT_S and not name.startswith(ALWAYS_QUICK)}
    return "".join(f"{name}\n" for name in sorted(slow | (set(before) - used.keys())))
