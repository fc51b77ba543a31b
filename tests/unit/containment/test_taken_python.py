"""What user code took from Python is put back, and reported once."""

import builtins
import subprocess
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


def test_nothing_is_collected_when_a_program_ends_that_only_imports_viva():
    """msgspec 0.22 frees types twice then, and a program whose last line was `vivavoce.run(…)` ended by SIGABRT."""
    program = (
        "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 1000)); "
        "import vivavoce.containment.taken_python"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\n"
