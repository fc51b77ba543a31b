"""What a Python program may import from vivavoce: few names, each with a contract, whatever was imported before."""

import subprocess
import sys
from types import ModuleType

import pytest

import vivavoce


def test_there_are_few():
    """Data that comes back, errors, and one function for each use case with its async twin."""
    functions = {name for name in vivavoce.__all__ if name.islower() and name not in ("__version__", "check")}
    assert {name for name in functions if f"a{name}" not in functions and name[1:] not in functions} == set()
    assert len(vivavoce.__all__) - len(functions) <= 20
    assert len(functions) <= 14
    assert len(set(vivavoce.__all__)) == len(vivavoce.__all__)


@pytest.mark.parametrize("name", [name for name in vivavoce.__all__ if name != "__version__"])
def test_each_can_be_had_and_says_what_it_is(name: str):
    found = getattr(vivavoce, name)
    assert not isinstance(found, ModuleType)
    assert (found.__doc__ or "").strip()


def test_dir_lists_them_and_others_are_unknown():
    assert dir(vivavoce) == sorted(vivavoce.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = vivavoce.nonsense  # pyright: ignore


@pytest.mark.parametrize(
    "before",
    ["pass", "import vivavoce.engine.plan.plan", "import vivavoce.api.running", "import vivavoce.engine.run"],
)
def test_run_is_the_function_whatever_was_imported_first(before: str):
    code = (
        f"{before}\nimport vivavoce\nfrom vivavoce import run\nimport vivavoce.engine.plan.plan\n"
        "from vivavoce.engine.plan.plan import make_plan\n"
        "print(run.__name__, vivavoce.run is run, vivavoce.arun.__name__, make_plan.__name__)"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["run", "True", "arun", "make_plan"]


def test_nothing_is_collected_when_a_program_ends_that_only_imports_viva():
    """msgspec 0.22 frees types twice then, and a program that imports any part of viva ended by SIGABRT."""
    program = (
        "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 1000)); import vivavoce.model.case"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "True\n"
