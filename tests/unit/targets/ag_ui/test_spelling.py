"""Servers that spell keys or event types in their own way."""

import pytest

from vivavoce.targets.ag_ui.spelling import (
    is_about_calls,
    meant_type,
    names_a_tool,
    names_of,
    read_id,
    read_key,
    written_calls,
)

KNOWN = ("TOOL_CALL_START", "TEXT_MESSAGE_END")


def test_a_key_in_snake_case_is_read():
    assert read_key({"tool_call_id": "c1"}, "toolCallId") == "c1"
    assert read_key({"toolCallId": "c1", "tool_call_id": "c2"}, "toolCallId") == "c1"
    assert read_id({"message_id": 7}, "messageId") == "7"
    assert read_id({}, "messageId") == ""


@pytest.mark.parametrize("written", ["tool_call_start", "ToolCallStart", "tool-call-start", "TOOL_CALL_START"])
def test_a_type_in_another_spelling_is_meant(written: str):
    assert meant_type(written, KNOWN) == "TOOL_CALL_START"


def test_another_type_is_not_meant():
    assert meant_type("TOOL_CALL_STARTED", KNOWN) is None


def test_calls_under_both_keys_count_once():
    first, second = {"id": "c1"}, {"id": "c2"}
    assert written_calls({"toolCalls": [first], "tool_calls": [first, second]}) == [first, second]
    assert written_calls({"tool_calls": [first]}) == [first]
    assert written_calls({"toolCalls": first, "tool_calls": [second]}) == [first, [second]]
    assert not written_calls({})


def test_a_call_with_two_names_has_both():
    assert names_of({"name": "pay", "function": {"name": "refund"}}) == {"pay", "refund"}
    assert names_of({"function": {"name": "refund"}}) == {"refund"}


@pytest.mark.parametrize(
    ("written", "about_calls"),
    [("ToolUseStarted", True), ("function_call", True), ("ACTION_EXECUTION_START", True), ("HEARTBEAT", False)],
)
def test_an_unknown_event_may_be_about_calls(written: str, about_calls: bool):
    assert is_about_calls(written) is about_calls


def test_a_key_that_is_only_for_tools_names_one():
    assert names_a_tool({"toolName": "pay"})
    assert names_a_tool({"function_name": "pay"})
    assert not names_a_tool({"toolName": ""})
    assert not names_a_tool({"name": "pay"})
