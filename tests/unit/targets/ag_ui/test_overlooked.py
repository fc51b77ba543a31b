"""Calls told where the reader does not look are kept as unread, so that no absence check is green."""

import json
from typing import Any

import msgspec
import pytest
from tests.fakes.agui_server import Reply, call, run, serving, sse, text
from tests.fakes.agui_talk import talking_to

from vivavoce.model.message import AgentReply

NAME = "delete_order"
CALL: dict[str, Any] = {"id": "c1", "type": "function", "function": {"name": NAME, "arguments": "{}"}}
TELLS: dict[str, Any] = {"id": "a1", "role": "assistant", "content": "", "toolCalls": [CALL]}


async def answer_to(body: bytes) -> AgentReply:
    async with serving(Reply([body])) as server, talking_to(server.url) as talk:
        return await talk.say("go")


async def heard(*events: Any) -> AgentReply:
    return await answer_to(sse(*run(*events, *text("ok"))))


def may_hold(reply: AgentReply) -> set[str]:
    return {piece.may_hold for piece in reply.unread}


def snapshot(*messages: Any) -> dict[str, Any]:
    return {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "u", "role": "user", "content": "go"}, *messages]}


# ── snapshots ──


async def test_both_spellings_of_the_calls_are_read() -> None:
    for told in ({"toolCalls": [], "tool_calls": [CALL]}, {"toolCalls": [CALL], "tool_calls": [CALL]}):
        reply = await heard(snapshot({"id": "a1", "role": "assistant", "content": "", **told}))
        assert [made.name for made in reply.calls] == [NAME]
        assert reply.unread == ()


async def test_a_result_in_a_snapshot_whose_call_nobody_told_is_unread() -> None:
    orphan = {"id": "t1", "role": "tool", "toolCallId": "zz", "name": NAME, "content": "deleted"}
    assert may_hold(await heard(snapshot(orphan))) == {"call"}
    known = {"id": "t1", "role": "tool", "toolCallId": "c1", "content": "deleted"}
    assert (await heard(snapshot(TELLS, known))).unread == ()


@pytest.mark.parametrize(
    "told",
    [
        {"messages": {"0": TELLS}},
        {"messages": json.dumps([TELLS])},
        {"messages": [[TELLS]]},
        {"snapshot": [TELLS]},
        {"messages": [], "snapshot": [TELLS]},
    ],
)
async def test_a_snapshot_of_another_shape_is_unread(told: dict[str, Any]) -> None:
    assert may_hold(await heard({"type": "MESSAGES_SNAPSHOT", **told})) == {"both"}


@pytest.mark.parametrize(
    "told", [{"id": "q", "name": NAME, "function": {"name": "lookup"}}, {"id": "q", "name": "lookup", "function": NAME}]
)
async def test_a_call_with_two_names_in_a_snapshot_is_unread(told: dict[str, Any]) -> None:
    assert may_hold(await heard(snapshot({**TELLS, "toolCalls": [told]}))) == {"call"}


@pytest.mark.parametrize("at", [1, 2])
async def test_another_name_than_at_the_start_is_unread(at: int) -> None:
    events = call("c1", "lookup")
    assert (await heard(*events)).unread == ()
    events[at] = {**events[at], "toolCallName": "lookup"}
    assert (await heard(*events)).unread == ()
    events[at] = {**events[at], "toolCallName": NAME}
    assert may_hold(await heard(*events)) == {"call"}


# ── the stream ──


@pytest.mark.parametrize("before", [b"", b" data: ", b"DATA: ", b"\xef\xbb\xbfdata: "])
async def test_a_line_that_is_no_data_line_is_unread_and_a_breach(before: bytes) -> None:
    started, *rest = run(*text("ok"))
    reply = await answer_to(sse(started) + before + msgspec.json.encode(call("c1", NAME)[0]) + b"\n\n" + sse(*rest))
    assert may_hold(reply) == {"both"}
    assert any("no field of an event stream" in told for told in reply.violations)


async def test_a_stray_line_at_the_very_end_is_unread() -> None:
    assert may_hold(await answer_to(sse(*run(*text("ok"))) + msgspec.json.encode(call("c1", NAME)[0]))) == {"both"}
