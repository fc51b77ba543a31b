"""Objects are recognised by the names of their classes, and nothing is imported for that."""

import subprocess
import sys
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.targets.frameworks.known import (
    _UNFINISHED,
    FRAMEWORKS,
    framework_of,
    framework_of_result,
    refuse_unfinished,
)

FOLDER = Path(__file__).parents[4] / "src" / "vivavoce" / "targets" / "frameworks"


def made_like(reference: str, **attributes: object) -> object:
    """An object whose class has a base of this name."""
    module, _, name = reference.partition(":")
    parent = type(name, (), {"__module__": module, **attributes})
    return type("Mine", (parent,), {"__module__": "mine"})()


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda each: each.name)
def test_a_subclass_counts_and_a_namesake_does_not(framework):
    extra = {framework.attribute: True} if framework.attribute else {}
    for reference in framework.agents:
        assert framework_of(made_like(reference, **extra)) is framework
        module, _, name = reference.partition(":")
        assert framework_of(made_like(f"{module}.deeper:{name}", **extra)) is framework
        assert framework_of(made_like(f"{module}x:{name}", **extra)) is None
        assert framework_of(made_like(f"elsewhere:{name}", **extra)) is None
        assert framework_of(type(made_like(reference, **extra))) is None
    if framework.attribute:
        assert framework_of(made_like(framework.agents[0])) is None


@pytest.mark.parametrize("framework", FRAMEWORKS, ids=lambda each: each.name)
def test_a_result_counts_alone_and_in_a_list(framework):
    for reference in framework.results:
        result = made_like(reference)
        assert framework_of_result(result) is framework
        assert framework_of_result([result]) is framework


@pytest.mark.parametrize("value", ["text", print, None, {}, [], [1], ({},), object(), lambda: 1, Path()])
def test_other_things_are_neither(value: object):
    assert framework_of(value) is None
    assert framework_of_result(value) is None


def test_an_uncompiled_graph_is_told_what_is_missing():
    with pytest.raises(UsageError, match=r"agent x is of type Mine: it is not compiled: name what its .compile"):
        refuse_unfinished(made_like("langgraph.graph.state:StateGraph"), "agent x")


@pytest.mark.parametrize("reference", _UNFINISHED)
def test_what_is_no_agent_says_what_to_name_instead(reference: str):
    thing = made_like(reference)
    assert framework_of(thing) is None
    with pytest.raises(UsageError, match="name "):
        refuse_unfinished(thing, "agent x")


def test_every_reader_is_in_the_table_and_has_the_promised_parts():
    sockets = {"__init__", "approvals", "content", "declaration", "framework", "known", "objects", "on_demand"}
    sockets |= {"offered_tools", "own_loop", "session", "turn_record", "versions"}
    assert {path.stem for path in FOLDER.glob("*.py")} - sockets == {each.file for each in FRAMEWORKS}
    for each in FRAMEWORKS:
        text = (FOLDER / f"{each.file}.py").read_text()
        assert "\nclass Agent" in text
        assert "\ndef read_result(" in text or not each.results
        assert "\ndef tools_of(" in text


def test_no_framework_is_imported_before_one_is_met():
    code = """
import sys
import vivavoce.targets.python_callable
from vivavoce.targets.frameworks.known import FRAMEWORKS, framework_of
framework_of(object())
loaded = {name.partition(".")[0] for name in sys.modules}
wanted = {each.agents[0].partition(":")[0].partition(".")[0] for each in FRAMEWORKS}
assert not loaded & wanted, loaded & wanted
readers = {f"vivavoce.targets.frameworks.{each.file}" for each in FRAMEWORKS}
assert not readers & sys.modules.keys()
assert "vivavoce.targets.frameworks.objects" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
