"""A pytest plug-in that writes tests/slow_tests.txt: the tests that use too much CPU for `make quick`.

It measures CPU, not time, so the list is about the same on a busy machine. `make slow-tests` runs it.
"""

import re
import resource
from collections.abc import Generator
from pathlib import Path

import pytest

LIMIT_S = 0.25
LIST = Path(__file__).with_name("slow_tests.txt")
ALWAYS_QUICK = "unit/test_architecture.py"
"""Part of every run, however long it takes."""
_used: dict[str, float] = {}


def cpu_s() -> float:
    """The CPU seconds of this process and of its ended children so far."""
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


def listed(before: list[str], used: dict[str, float], folder: Path = LIST.parent) -> str:
    """The new list. What did not run this time stays in it, unless the test is gone."""
    slow = {name for name, seconds in used.items() if seconds > LIMIT_S and not name.startswith(ALWAYS_QUICK)}
    kept = {name for name in before if name not in used and exists(name, folder)}
    return "".join(f"{name}\n" for name in sorted(slow | kept))


def exists(name: str, folder: Path = LIST.parent) -> bool:
    """Whether there is a test of this name, such as `unit/test_quick.py::test_a`."""
    file, *_, test = name.split("::")
    return (folder / file).is_file() and re.search(rf"def {test}\b", (folder / file).read_text()) is not None
