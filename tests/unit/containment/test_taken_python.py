"""What user code took from Python is put back, and reported once."""

import builtins
import sys

import pytest

from vivavoce.containment.taken_python import TakenPython, put_back_what_was_taken, watch_what_is_taken

NAMES = ["len", "isinstance", "str", "Exception", "__import__"]


def _take_and_come_back(name: str) -> None:
    setattr(builtins, name, None)
    put_back_what_was_taken()


@pytest.mark.parametrize("name", NAMES)
def test_a_replaced_builtin_is_back_and_named_once(name: str):
    before = getattr(builtins, name)
    with pytest.raises(TakenPython, match=f"replaced or removed {name} of Python itself"):
        _take_and_come_back(name)
    assert getattr(builtins, name) is before
    put_back_what_was_taken()


def test_what_the_thread_put_back_is_reported_where_the_agent_ends():
    before = builtins.any
    builtins.any = None  # pyright: ignore[reportAttributeAccessIssue]
    watch_what_is_taken()
    assert builtins.any is before
    with pytest.raises(TakenPython, match="any"):
        put_back_what_was_taken()


def test_modules_come_back_and_new_ones_stay():
    watch_what_is_taken()
    before = dict(sys.modules)

    def clear_and_come_back() -> None:
        sys.modules.clear()
        sys.modules["of the agent"] = before["sys"]
        put_back_what_was_taken()

    try:
        with pytest.raises(TakenPython, match=r"sys\.modules"):
            clear_and_come_back()
        assert {**sys.modules} == {**before, "of the agent": before["sys"]}
    finally:
        sys.modules.update(before)
        del sys.modules["of the agent"]


def test_what_libraries_replace_is_theirs():
    before = builtins.print
    builtins.print = lambda *_, **__: None  # type: ignore[assignment]
    try:
        put_back_what_was_taken()
        assert builtins.print is not before
    finally:
        builtins.print = before
