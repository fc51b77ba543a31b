"""Turns, simulators and checkpoints as they are written."""

from typing import Any

import msgspec
import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import CallOptions, Origin
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.case_fields import CheckpointFields, SimulatorFields, TurnFields
from vivavoce.sources.decoding.conversation_decoder import (
    decode_checkpoints,
    decode_simulator,
    decode_turn,
    max_turns_of,
)

PLACE = Place(Origin("a.jsonl", 3))
CONTAINS = {"type": "contains", "value": "x"}


def turn(**written: Any):
    return decode_turn(msgspec.convert(written, TurnFields), PLACE)


def simulator(**written: Any) -> SimulatorFields:
    return msgspec.convert(written, SimulatorFields)


def checkpoints(*written: dict[str, Any]):
    full = [{"assertion": CONTAINS, **one} for one in written]
    return decode_checkpoints(msgspec.convert(full, list[CheckpointFields]), PLACE)


# ── turns ──


@pytest.mark.parametrize(
    ("written", "content", "name"),
    [
        ({"input": "hi"}, "hi", None),
        ({"user": "hi"}, "hi", None),
        ({"input": {"role": "user", "content": "hi", "name": "ann"}}, "hi", "ann"),
    ],
)
def test_a_line_is_text_or_a_message_of_the_user(written: dict[str, Any], content: str, name: str | None):
    made = turn(**written)
    assert (made.content, made.name) == (content, name)


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ({}, "no input: the user says nothing"),
        ({"input": ""}, "no input: the user says nothing"),
        ({"input": "hi", "user": "hi"}, "say the same thing"),
        ({"input": {"role": "assistant", "content": "hi"}}, "user"),
    ],
)
def test_a_line_that_nobody_can_say_is_refused(written: dict[str, Any], what: str):
    with pytest.raises(UsageError, match=what):
        turn(**written)


def test_a_turn_may_only_answer_an_interrupt():
    made = turn(resume={"id": "i1", "payload": True})
    assert made.content == ""
    assert [(answer.id, answer.payload) for answer in made.resume] == [("i1", True)]
    assert len(turn(resume=[{"id": "i1"}, {"reason": "confirm", "cancelled": True}]).resume) == 2


def test_checks_under_both_names_must_all_hold():
    assert len(turn(input="hi", **{"assert": CONTAINS, "assertions": [CONTAINS, CONTAINS]}).assertions) == 3


def test_everything_wrong_with_a_turn_is_said_at_once():
    with pytest.raises(UsageError) as caught:
        turn(input="a", user="b", attachments=[5], **{"assert": {"type": "contain"}})
    told = [str(problem) for problem in caught.value.each()]
    assert len(told) == 3
    assert [word in line for word, line in zip(("same thing", "attachments", "contain"), told, strict=True)] == [
        True
    ] * 3


# ── simulators ──


@pytest.mark.parametrize(
    ("use", "meant"),
    [("mine", "agents:mine"), ("agents:mine", "agents:mine"), ("scripts:mine", "scripts:mine")],
)
def test_a_simulator_is_an_agent_unless_it_says_otherwise(use: str, meant: str):
    assert decode_simulator(simulator(use=use), PLACE).use == meant


def test_a_prefix_without_an_id_is_refused():
    with pytest.raises(UsageError, match="the id of an agent or script"):
        decode_simulator(simulator(use="agents:"), PLACE)


def test_metadata_of_a_simulator_is_its_options_and_the_options_win():
    fields = simulator(use="mine", metadata={"a": 1, "b": 1, "max_turns": 3}, options={"metadata": {"b": 2}})
    made = decode_simulator(fields, PLACE)
    assert made.options == CallOptions(metadata={"a": 1, "b": 2})
    assert max_turns_of(fields, PLACE) == 3


@pytest.mark.parametrize("written", [-1, 1.5, "3", True])
def test_max_turns_in_the_metadata_is_a_whole_number(written: Any):
    with pytest.raises(UsageError, match="a whole number, 0 or more"):
        max_turns_of(simulator(use="mine", metadata={"max_turns": written}), PLACE)


# ── checkpoints ──


def test_checkpoints_come_after_one_or_several_others():
    first, second, third = checkpoints({"id": "a"}, {"id": "b", "after": "a"}, {"id": "c", "after": ["a", "b"]})
    assert [one.after for one in (first, second, third)] == [(), ("a",), ("a", "b")]


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ([{"id": "a"}, {"id": "a"}], "duplicate checkpoint id 'a'"),
        ([{"id": "greeted"}, {"id": "b", "after": "greted"}], "did you mean 'greeted'"),
        ([{"id": "a", "after": "b"}, {"id": "b", "after": "a"}], "round in a circle: .* → .* → "),
        ([{"id": "a", "after": "a"}], "round in a circle: a → a"),
        ([{"id": "a", "assertion": []}], "checkpoint 'a' has no assertion"),
    ],
)
def test_checkpoints_that_cannot_be_reached_are_refused(written: list[dict[str, Any]], what: str):
    with pytest.raises(UsageError, match=what):
        checkpoints(*written)
