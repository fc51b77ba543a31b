"""The tool calls of the evidence: in order, by name, with arguments however they came."""

from typing import Any

import pytest
from msgspec import UNSET
from tests.fakes.evidence import call, evidence, turn

from vivavoce.assertions.tool_calls import (
    argument,
    called_instead,
    calls_seen,
    in_turns,
    named,
    read_arguments,
    recounted,
)


def test_calls_have_their_place_and_their_turn():
    seen = calls_seen(evidence(turn("", call("a"), call("b")), turn("", call("a")), scope="case"))
    assert [(one.place, one.turn, one.call.name) for one in seen] == [(0, 1, "a"), (1, 1, "b"), (2, 2, "a")]
    assert [one.place for one in named("a", seen)] == [0, 2]


@pytest.mark.parametrize(
    ("args", "read"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        (None, {}),
        ("", {}),
        ("a: 1", None),
        ("[1]", None),
        ([1], None),
        (5, None),
    ],
)
def test_arguments_are_an_object_or_unreadable(args: Any, read: Any):
    assert read_arguments(call("x", args)) == read


def test_a_key_with_dots_is_a_key_first_and_a_path_second():
    assert argument({"a.b": 1, "a": {"b": 2}}, "a.b") == 1
    assert argument({"a": {"b": 2}}, "a.b") == 2
    assert argument({"a": [{"b": 3}]}, "a[0].b") == 3
    assert argument({"a": None}, "a") is None
    assert argument({}, "a") is UNSET


def test_what_was_called_instead():
    def told(*names: str) -> str:
        return called_instead(calls_seen(evidence(turn("", *map(call, names)))))

    assert told() == "no tool was called"
    assert told("a", "b", "a", "") == "called: a 2 times, b, (no name)"
    assert told(*"abcdefghij").endswith("g, h and 2 more")


def test_turns_are_named_only_where_there_are_several():
    several = evidence(turn("", call("a")), turn("", call("a")), scope="case")
    assert in_turns(calls_seen(several), several) == " (turn 1, turn 2)"
    single = evidence(turn("", call("a")))
    assert in_turns(calls_seen(single), single) == ""


def test_a_call_as_plain_data_keeps_null_results_and_errors():
    (seen,) = calls_seen(evidence(turn("", call("a", {"x": 1}, None, error="no"))))
    assert recounted(seen) == {"turn": 1, "name": "a", "args": {"x": 1}, "result": None, "error": "no"}
    (bare,) = calls_seen(evidence(turn("", call("a"))))
    assert recounted(bare) == {"turn": 1, "name": "a", "args": {}}


@pytest.mark.parametrize("text", ['{"amount": 8, "amount": 2}', '{"in": {"amount": 8, "amount": 8}}'])
def test_arguments_with_a_key_written_twice_are_unclear(text: str):
    assert read_arguments(call("pay", text)) is None
