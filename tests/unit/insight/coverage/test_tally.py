"""Counting over conversations."""

from vivavoce.insight.coverage.known_tools import KnownTools
from vivavoce.insight.coverage.tally import CoverageTally
from vivavoce.model.agent_card import ToolSpec
from vivavoce.model.coverage import Element, Group, State

CALLED = Element(Group.TOOL, "refund", "called")
PAIR = Element(Group.PAIR, "a → b", "seen")


def test_states_counts_and_totals():
    tools = KnownTools()
    tools.add([ToolSpec(name="refund"), ToolSpec(name="mail")])
    tally = CoverageTally(tools)
    assert tally.add("T1", [CALLED, PAIR]) == [CALLED, PAIR]
    tally.checked(CALLED, "T1")
    assert tally.add("T2", [CALLED, PAIR]) == [PAIR]
    found = tally.coverage(["a note"])
    states = {str(item.element): (item.state, item.conversations) for item in found.items}
    assert states["refund called"] == (State.CHECKED, 2)
    assert states["mail called"] == (State.NEVER, 0)
    assert states["a → b seen"] == (State.UNCHECKED, 2)
    assert (found.exercised().part, found.exercised().whole, found.checked().part) == (1, 6, 1)
    assert (found.cases, found.conversations, found.notes) == (2, 2, ("a note",))


def test_a_tool_that_was_only_seen_could_have_failed_too():
    tally = CoverageTally(KnownTools())
    tally.add("T1", [CALLED])
    elements = [str(item.element) for item in tally.coverage().items]
    assert elements == ["refund called", "refund returned", "refund failed"]
    assert tally.tools_seen() == ["refund"]


def test_what_is_ignored_is_in_no_figure():
    tally = CoverageTally(KnownTools(), ["*.failed", "a*"])
    assert tally.add("T1", [CALLED, PAIR]) == [CALLED]
    assert [item.element.aspect for item in tally.coverage().items] == ["called", "returned"]


def test_nothing_to_cover_is_covered():
    assert CoverageTally(KnownTools()).coverage().exercised().percent == 100.0
