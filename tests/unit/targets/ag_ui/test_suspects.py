"""States, custom events and dumps that tell a call nobody else told are unread; what is told again is not."""

import json
from typing import Any

import pytest
from tests.fakes.agui_server import call, run, sse, text
from tests.fakes.planting import outcome_of
from tests.unit.targets.ag_ui.test_overlooked import CALL, NAME, answer_to, heard, may_hold

from vivavoce.model.verdict import Outcome

SUSPECT: dict[str, dict[str, Any]] = {
    "custom": {"type": "CUSTOM", "name": "tool_call", "value": {"name": NAME, "args": {}}},
    "custom, by its name": {"type": "CUSTOM", "name": "on_tool_start", "value": {"tool": NAME, "params": {}}},
    "custom, under another key": {"type": "CUSTOM", "name": "tool_call", "tool": NAME},
    "raw": {"type": "RAW", "event": {"tool_calls": [CALL]}},
    "raw, LangChain": {"type": "RAW", "event": {"event": "on_tool_start", "name": NAME, "data": {"input": {}}}},
    "raw, Anthropic": {
        "type": "RAW",
        "event": {"type": "content_block_start", "content_block": {"type": "tool_use", "name": NAME, "input": {}}},
    },
    "activity": {"type": "ACTIVITY_SNAPSHOT", "messageId": "x", "content": {"tool_calls": [CALL]}},
    "activity delta": {"type": "ACTIVITY_DELTA", "patch": [{"op": "add", "path": "/calls/0", "value": CALL}]},
    "state": {"type": "STATE_SNAPSHOT", "snapshot": {"messages": [{"role": "assistant", "tool_calls": [CALL]}]}},
    "state delta": {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/tool_calls", "value": [CALL]}]},
    "state delta that does not apply": {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/a/b", "value": CALL}]},
    "step": {"type": "STEP_STARTED", "stepName": "tools", "tool_calls": [CALL]},
}


@pytest.mark.parametrize("name", SUSPECT)
async def test_a_call_told_elsewhere_is_unread(name: str) -> None:
    assert may_hold(await heard(SUSPECT[name])) == {"call"}


@pytest.mark.parametrize("name", SUSPECT)
async def test_a_call_told_elsewhere_too_is_read_once(name: str) -> None:
    reply = await heard(SUSPECT[name], *call("c1", NAME))
    assert [made.name for made in reply.calls] == [NAME]
    assert may_hold(reply) <= {"name"}
    assert NAME not in " ".join(piece.tool for piece in reply.unread)


NAMED: dict[str, dict[str, Any]] = {
    "state": {"type": "STATE_SNAPSHOT", "snapshot": {"tools_used": [NAME]}},
    "state, a log": {"type": "STATE_SNAPSHOT", "snapshot": {"logs": [{"message": f"Calling {NAME}", "done": True}]}},
    "state delta that does not apply": {
        "type": "STATE_DELTA",
        "delta": [{"op": "replace", "path": "/last/tool", "value": NAME}],
    },
    "custom, by its name": {"type": "CUSTOM", "name": NAME, "value": {"order": 7}},
    "custom, a log": {"type": "CUSTOM", "name": "log", "value": f"Calling tool {NAME}"},
    "step": {"type": "STEP_STARTED", "stepName": f"tool:{NAME}"},
    "state, under another key": {"type": "STATE_SNAPSHOT", "snapshot": {}, "state": {"last": NAME}},
    "state delta, under another key": {"type": "STATE_DELTA", "delta": [], "patch": [{"path": f"/done/{NAME}"}]},
    "snapshot": {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "x", "role": "activity", "content": {"of": NAME}}]},
    "activity": {"type": "ACTIVITY_SNAPSHOT", "messageId": "x", "activityType": NAME, "content": {"order": 7}},
    "chunks": {"type": "TOOL_CALL_CHUNK", "toolCallId": "c9", "toolCallName": NAME[:7], "delta": ""},
}


@pytest.mark.parametrize("name", NAMED)
async def test_an_event_that_only_names_a_tool_is_doubt_about_that_tool(name: str) -> None:
    rest = {"type": "TOOL_CALL_CHUNK", "toolCallId": "c9", "toolCallName": NAME[7:], "delta": "{}"}
    reply = await heard(NAMED[name], *([rest] if name == "chunks" else []))
    assert may_hold(reply) == {"name"}
    assert await outcome_of(reply) is Outcome.BROKEN


RAW: list[dict[str, Any]] = [
    {"content": {"parts": [{"functionCall": {"name": NAME, "args": {}}}]}},
    {"content": {"parts": [{"function_call": {"name": NAME, "args": {}}}]}},
    {"type": "response.output_item.done", "item": {"type": "function_call", "name": NAME, "arguments": "{}"}},
    {"method": "tools/call", "params": {"name": NAME, "arguments": {}}},
    {"action": NAME, "action_input": {}},
    {"type": f"tool-{NAME}", "toolCallId": "c1", "state": "output-available", "input": {}},
]


@pytest.mark.parametrize("dump", RAW, ids=str)
async def test_a_dump_of_any_provider_may_tell_a_call(dump: dict[str, Any]) -> None:
    assert may_hold(await heard({"type": "RAW", "event": dump})) == {"call"}
    assert may_hold(await heard({"type": "RAW", "event": dump}, *call("c1", NAME))) == set()
    assert may_hold(await heard({"type": "RAW", "event": json.dumps(dump)})) == {"call"}


async def test_a_known_call_hides_no_other() -> None:
    wraps = {"name": "lookup", "args": {}, "tool_calls": [CALL]}
    for event in ({"type": "CUSTOM", "name": "x", "value": wraps}, {"type": "STATE_SNAPSHOT", "snapshot": [wraps]}):
        assert may_hold(await heard(event, *call("c1", "lookup"))) == {"call"}


@pytest.mark.parametrize(
    "told", [{"result": {"tool_calls": [CALL]}}, {"toolCalls": [CALL]}, {"pendingToolCalls": [CALL]}]
)
async def test_calls_at_the_runs_end_are_unread(told: dict[str, Any]) -> None:
    *events, finished = run(*text("ok"))
    assert may_hold(await answer_to(sse(*events, {**finished, **told}))) == {"call"}


@pytest.mark.parametrize(
    "event",
    [
        {"type": "ACTION_EXECUTION_START", "actionExecutionId": "x", "actionName": NAME},
        {"type": "TOOL_STARTED", "tool": NAME},
        {"type": "HAND_OVER", "toolName": NAME},
    ],
)
async def test_an_unknown_event_that_names_a_tool_is_unread(event: dict[str, Any]) -> None:
    assert may_hold(await heard(event)) == {"call"}


@pytest.mark.parametrize(
    "event",
    [
        {"type": "CUSTOM", "name": "PredictState", "value": [{"state_key": "d", "tool": "w", "tool_argument": "d"}]},
        {"type": "RAW", "event": {"chunk": {"content": "Hi", "tool_calls": [], "tool_call_chunks": []}}},
        {"type": "STATE_SNAPSHOT", "snapshot": {"recipe": {"name": "Soup", "steps": ["cook"]}}},
        {
            "type": "STATE_SNAPSHOT",
            "snapshot": {
                "tools": [{"name": "pay", "description": "Pays", "parameters": {"type": "object", "properties": {}}}]
            },
        },
    ],
)
async def test_what_real_servers_send_is_not_suspected(event: dict[str, Any]) -> None:
    assert (await heard(event)).unread == ()


async def test_a_dump_that_is_two_events_in_one_is_unread() -> None:
    twice = b'data: {"type":"RAW","type":"TOOL_CALL_START","toolCallId":"x","toolCallName":"delete_order"}\n\n'
    started, *rest = run(*text("ok"))
    assert may_hold(await answer_to(sse(started) + twice + sse(*rest))) == {"call"}


@pytest.mark.parametrize("arguments", ["args", "arguments", "input"])
async def test_a_second_call_of_a_known_tool_with_other_arguments_is_unread(arguments: str) -> None:
    def state(value: Any) -> dict[str, Any]:
        return {"type": "STATE_SNAPSHOT", "snapshot": {"done": [{"name": NAME, arguments: value}]}}

    made = call("c1", NAME, '{"id": 1}')
    for same in ({"id": 1}, '{"id": 1}', {}, '{"i'):
        assert may_hold(await heard(state(same), *made)) == set()
    for other in ({"id": 2}, '{"id": 2}'):
        assert may_hold(await heard(state(other), *made)) == {"call"}
