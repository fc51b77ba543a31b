"""Fields that A2A does not have, and known ones of another type."""

from typing import Any

import pytest

from vivavoce.model.json_value import JsonObject
from vivavoce.targets.a2a.strange_fields import may_be_about_calls, strange_fields

CALL: JsonObject = {"name": "pay", "args": {}}
RESULT: JsonObject = {"name": "pay", "toolCallId": "c1", "content": "ok"}
MESSAGE: JsonObject = {"messageId": "m", "role": "agent", "parts": [{"text": "Hi."}]}


def found(body: JsonObject, *, is_message: bool = False, around: JsonObject | None = None) -> list[str]:
    return [piece.where for piece in strange_fields({**(around or {}), "e": body}, body, is_message=is_message)]


@pytest.mark.parametrize(
    "body",
    [
        {"calls": [CALL]},
        {"status": {"state": "completed", "toolCalls": [CALL]}},
        {"status": {"message": {**MESSAGE, "steps": [CALL]}}},
        {"history": [{**MESSAGE, "extra": {"tool_call_id": "c1"}}]},
        {"artifact": {"artifactId": "a", "parts": [{"text": "Hi.", "toolUse": CALL}]}},
        {"artifact": {"artifactId": "a", "parts": [], "content": [CALL]}},
        {"artifact": [RESULT]},
        {"metadata": ["tool_call_started", "pay"]},
        {"artifact": {"artifactId": "a", "partz": ["pay was called"]}},
    ],
    ids=str,
)
def test_what_nobody_reads_is_kept(body: dict[str, Any]):
    assert found(body)


def test_what_stands_around_an_event_is_kept():
    assert found({"id": "t"}, around={"tools_called": ["pay"]}) == ["a field that A2A does not have"]


def test_a_message_of_another_shape_is_kept():
    assert found({"messageId": "m", "said": "Hi."}, is_message=True) == ["a message or artifact without parts"]


def test_ordinary_events_leave_no_doubt():
    assert found(MESSAGE, is_message=True) == []
    task = {"id": "t", "contextId": "x", "status": {"state": "completed", "timestamp": "2026"}, "history": [MESSAGE]}
    assert found(task, around={"requestId": "7"}) == []


@pytest.mark.parametrize("value", [RESULT, [RESULT], {"x": '{"toolCallId": "c1"}'}, {"tool_results": ["pay"]}])
def test_the_id_of_a_call_tells_a_call(value: Any):
    assert may_be_about_calls(value)


@pytest.mark.parametrize("value", ["pay", {"total": 3}, {"toolCallId": ""}, ["a", None]])
def test_other_data_tells_none(value: Any):
    assert not may_be_about_calls(value)
