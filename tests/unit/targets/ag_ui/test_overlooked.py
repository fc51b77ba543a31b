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


# ── texts ──


@pytest.mark.parametrize("words", [f"<tool_call>{NAME}</tool_call>", json.dumps({"name": NAME, "arguments": {}})])
async def test_a_call_in_the_text_is_unread(words: str) -> None:
    started, said, ended = text("")
    pieces = [{**said, "delta": piece} for piece in (words[:5], words[5:])]
    assert may_hold(await answer_to(sse(*run(started, *pieces, ended)))) == {"call"}
    only_told = await heard(snapshot({"id": "a1", "role": "assistant", "content": words}))
    assert may_hold(only_told) == {"both"}


@pytest.mark.parametrize("kind", ["REASONING_MESSAGE_CONTENT", "THINKING_TEXT_MESSAGE_CONTENT"])
async def test_a_call_in_the_reasoning_is_unread(kind: str) -> None:
    words = f'I shall <tool_call>{{"name": "{NAME}"}}</tool_call>'
    pieces = [{"type": kind, "messageId": "r1", "delta": piece} for piece in (words[:12], words[12:])]
    assert may_hold(await heard(*pieces)) == {"call"}
    assert may_hold(await heard({"type": kind, "messageId": "r1", "delta": "I shall look."})) == set()


@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("key", ["toolCalls", "tool_calls"])
async def test_calls_beside_a_text_are_unread(at: int, key: str) -> None:
    events = text("Hello")
    events[at] = {**events[at], key: [CALL]}
    reply = await answer_to(sse(*run(*events)))
    assert (may_hold(reply), reply.text) == ({"call"}, "Hello")


async def test_words_with_a_time_or_a_dump_beside_are_read() -> None:
    started, said, ended = text("Hello")
    reply = await answer_to(sse(*run(started, said, {**said, "timestamp": 1, "rawEvent": {"a": [1]}}, said, ended)))
    assert (reply.text, reply.unread) == ("HelloHelloHello", ())


async def test_a_text_in_a_tools_name_is_unread() -> None:
    started, *rest = text("deleted", "m9", role="tool")
    assert may_hold(await heard({**started, "name": NAME}, *rest)) == {"call"}
