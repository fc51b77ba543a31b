"""Calls and words of a whole response that stand beside what is read: unread, or an error."""

import json
from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model_wires.responses_wire import read_whole

SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}
CALL = {"type": "function_call", "call_id": "c", "name": "delete_order", "arguments": "{}"}
TOLD = {"tool_calls": [{"name": "delete_order", "args": {}}]}


def response(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": "r", "object": "response", "status": "completed", "output": list(items), **more}


@pytest.mark.parametrize(
    "told",
    [
        response(SAID, **TOLD),
        response(SAID, choices=[{"message": TOLD}]),
        response({**SAID, **TOLD}),
        response({"type": "reasoning", "summary": [], **TOLD}, SAID),
        response({"type": "compaction", "items": [CALL]}, SAID),
        response({"type": "mcp_list_tools", "tools": [], **TOLD}, SAID),
        response({**CALL, "name": "search", "function": {"name": "delete_order"}}),
        response({"type": "mcp_call", "name": "search", "tool": "delete_order", "arguments": "{}", "output": "x"}),
        response(SAID, output_text="more words"),
    ],
)
def test_what_stands_beside_the_output_is_unread(told):
    assert read_whole(json.dumps(told).encode()).unread


def test_output_written_twice_is_unread():
    told = json.dumps(response(CALL))[:-1] + f', "output": {json.dumps([SAID])}}}'
    assert [piece.where for piece in read_whole(told.encode()).unread] == ["an object with a key written twice"]


@pytest.mark.parametrize("status", ["in_progress", "queued"])
def test_a_response_that_is_not_finished_is_an_error(status):
    with pytest.raises(CallFailed, match="not finished"):
        read_whole(json.dumps(response(SAID, status=status)).encode())


def test_what_a_real_response_has_beside_its_output_is_no_doubt():
    tool = {"type": "function", "name": "delete_order", "parameters": {"type": "object"}, "strict": False}
    thought = {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "abc", "status": None}
    said = {**SAID, "id": "msg", "status": "completed", "phase": "final_answer"}
    told = response(
        thought,
        said,
        {**CALL, "id": "fc", "status": "completed"},
        tools=[tool],
        tool_choice={"type": "function", "name": "delete_order"},
        parallel_tool_calls=True,
        max_tool_calls=3,
        instructions="Use the tools.",
        text={"format": {"type": "text"}},
        reasoning={"effort": "low", "summary": None},
        metadata={},
        output_text="ok",
        usage={"input_tokens": 1, "output_tokens": 1, "output_tokens_details": {"reasoning_tokens": 0}},
    )
    assert read_whole(json.dumps(told).encode()).unread == ()
