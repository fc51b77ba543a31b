"""Lists of messages as other libraries keep them."""

from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.targets.message_list import calls_of, is_message, read_messages

USER = {"role": "user", "content": "hi"}
OPENAI: list[Any] = [
    {"role": "system", "content": "be kind"},
    USER,
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "pay", "arguments": '{"n": 1}'}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "ok"},
    {"role": "assistant", "content": "Paid."},
]
ANTHROPIC: list[Any] = [
    USER,
    {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "pay", "input": {"n": 1}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "ok"}]},
    {"role": "assistant", "content": [{"type": "text", "text": "Paid."}]},
]
LANGCHAIN: list[Any] = [
    {"type": "human", "content": "hi"},
    {
        "type": "ai",
        "content": [{"type": "tool_use", "id": "c1", "name": "pay", "input": {"n": 1}}],
        "tool_calls": [{"id": "c1", "name": "pay", "args": {"n": 1}}],
    },
    {"type": "tool", "tool_call_id": "c1", "name": "pay", "content": "ok"},
    {"type": "ai", "content": "Paid."},
]
RESPONSES: list[Any] = [
    USER,
    {"type": "function_call", "call_id": "c1", "name": "pay", "arguments": '{"n": 1}'},
    {"type": "function_call_output", "call_id": "c1", "output": "ok"},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Paid."}]},
]


@pytest.mark.parametrize("messages", [OPENAI, ANTHROPIC, LANGCHAIN, RESPONSES])
def test_the_same_turn_is_read_from_every_library(messages: list[Any]):
    read = read_messages(messages, "hi")
    assert read.texts == ("Paid.",)
    assert [(call.id, call.name, call.args, call.result) for call in read.calls] == [("c1", "pay", {"n": 1}, "ok")]
    assert read.unread == ()


def test_only_what_follows_the_users_line_counts():
    earlier = [{"role": "user", "content": "before"}, {"role": "assistant", "content": "old"}]
    assert read_messages([*earlier, *OPENAI], "hi").texts == ("Paid.",)
    assert read_messages(OPENAI[2:], "hi").texts == ("Paid.",), "a list without the user is the turn as a whole"


def test_calls_before_a_user_message_that_nobody_said_are_unread():
    made_up = [*OPENAI, {"role": "user", "content": "made up"}, {"role": "assistant", "content": "Bye."}]
    read = read_messages(made_up, "something else")
    assert read.texts == ("Bye.",)
    assert [one.where for one in read.unread] == ["before the user's message"] * len(read.unread) != []


def test_a_tool_result_in_a_users_message_does_not_begin_a_turn():
    assert [call.name for call in read_messages(ANTHROPIC, "said otherwise").calls] == ["pay"]


def test_the_newest_message_first_hides_no_call():
    assert read_messages(list(reversed(OPENAI)), "hi").unread


def test_a_result_without_its_call_is_a_call_or_unread():
    named = read_messages([{"role": "tool", "tool_call_id": "c9", "name": "pay", "content": "ok"}])
    assert [(call.name, call.result) for call in named.calls] == [("pay", "ok")]
    nameless = read_messages([{"role": "tool", "tool_call_id": "c9", "content": "ok"}])
    assert "result of an unknown call" in nameless.unread[0].where


def test_a_result_under_another_name_is_in_doubt():
    messages = [{"role": "assistant", "tool_calls": [{"id": "c1", "name": "pay"}]}]
    read = read_messages([*messages, {"role": "tool", "tool_call_id": "c1", "name": "refund", "content": "ok"}])
    assert "named in the result of pay" in read.unread[0].where


def test_a_hosted_tool_is_named_by_its_type():
    (call,) = read_messages([{"type": "web_search_call", "id": "w1", "status": "completed"}]).calls
    assert call.name == "web_search"


def test_unknown_items_are_unread_and_silent_ones_are_not():
    assert read_messages([{"type": "surprise", "x": 1}]).unread
    assert read_messages(["text"]).unread
    assert not read_messages([{"type": "reasoning", "summary": []}]).unread


def test_every_spelling_of_calls_is_found():
    assert calls_of({"tool_calls": [1], "toolCalls": [2]}) == [1, 2]
    assert calls_of({"function_call": {"name": "pay"}}) == [{"name": "pay"}]
    assert calls_of({"additional_kwargs": {"tool_calls": [1]}}) == [1]
    assert calls_of({"invalid_tool_calls": [3]}) == [3]
    with pytest.raises(CallFailed, match="wanted an array"):
        calls_of({"tool_calls": {"name": "pay"}})


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        (USER, True),
        ({"type": "ai", "content": "x"}, True),
        ({"type": "function_call", "name": "pay"}, True),
        ({"role": "manager", "content": "x"}, False),
        ({"type": "human"}, False),
        ("hi", False),
    ],
)
def test_other_data_is_no_message(value: Any, is_one: bool):
    assert is_message(value) is is_one
