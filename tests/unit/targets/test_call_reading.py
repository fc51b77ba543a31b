"""What user code says of its tool calls and of what it spent."""

from typing import Any

import pytest
from msgspec import UNSET

from vivavoce.errors import CallFailed
from vivavoce.model.message import Usage
from vivavoce.targets.call_reading import read_call, read_calls, read_usage, refuse_bad_usage, unread_in_calls


@pytest.mark.parametrize(
    "written",
    [
        {"name": "pay", "args": {"n": 1}, "id": "c1"},
        {"tool": "pay", "arguments": '{"n": 1}', "call_id": "c1"},
        {"type": "function", "id": "c1", "function": {"name": "pay", "arguments": '{"n": 1}'}},
        {"toolName": "pay", "input": {"n": 1}, "toolCallId": "c1"},
        '{"name": "pay", "args": {"n": 1}, "id": "c1"}',
    ],
)
def test_a_call_is_read_in_every_usual_spelling(written: Any):
    call = read_call(written, "$")
    assert (call.id, call.name, call.args, call.result) == ("c1", "pay", {"n": 1}, UNSET)


def test_a_text_is_the_name_of_a_tool():
    assert read_call("pay", "$").name == "pay"


def test_results_errors_and_times_are_kept():
    call = read_call({"name": "pay", "output": None, "error": "no money", "started_ms": 1, "timestamp": 2}, "$")
    assert (call.result, call.error, call.started_ms, call.completed_ms) == (None, "no money", 1.0, 2.0)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"args": {}}, "has no name"),
        ({"name": '{"x": 1}'}, "has no name"),
        (3, "is of type"),
        ("", "is of type"),
        ("pay\nrefund", "is a text that is no tool's name"),
    ],
)
def test_a_call_that_cannot_be_read_is_the_agents_error(written: Any, said: str):
    with pytest.raises(CallFailed, match=said) as refused:
        read_call(written, "$.tool_calls[0]")
    assert refused.value.fault == "agent"


def test_calls_must_be_a_list():
    assert read_calls(None) == ()
    assert [call.name for call in read_calls(["pay", {"name": "refund"}])] == ["pay", "refund"]
    with pytest.raises(CallFailed, match="wanted an array"):
        read_calls({"name": "pay"})


def test_fields_that_may_hold_arguments_or_results_are_unread():
    calls = [{"name": "pay", "args": {"n": 1}, "input": {"n": 2}, "payload": {"n": 3}, "latency": 4, "note": ""}]
    assert [one.where for one in unread_in_calls(calls)] == ["$.tool_calls[0].payload", "$.tool_calls[0].input"]


def test_usage_is_read_under_both_names():
    assert read_usage({"prompt_tokens": 3, "completion_tokens": 4, "cost": 0.5}) == Usage(3, 4, 0.5)
    assert read_usage({"input_tokens": 3, "output_tokens": 4}) == Usage(3, 4)
    assert read_usage({"seconds": 3}) is None
    assert read_usage(None) is None


@pytest.mark.parametrize(
    "wrong", [{"input_tokens": -1}, {"cost": "cheap"}, {"cost": float("inf")}, {"cost": float("nan")}]
)
def test_a_figure_that_is_none_never_passes_a_limit(wrong: dict[str, Any]):
    with pytest.raises(CallFailed, match="wanted a number, 0 or more"):
        read_usage(wrong)


def test_a_ready_made_reply_may_not_spend_less_than_nothing():
    refuse_bad_usage(None)
    refuse_bad_usage(Usage(1, 2, 0.5))
    with pytest.raises(CallFailed, match="cost"):
        refuse_bad_usage(Usage(1, 2, -0.5))
