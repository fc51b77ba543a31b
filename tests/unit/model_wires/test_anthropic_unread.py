"""Calls and words on Anthropic's wire that stand beside what is read: unread, and nothing else is."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from vivavoce.model_wires.anthropic_wire import read_stream, read_whole
from vivavoce.protocols import ModelReply

SAID = {"type": "text", "text": "ok"}
CALL = {"type": "tool_use", "id": "c", "name": "delete_order", "input": {}}
TOLD = {"tool_calls": [{"name": "delete_order", "args": {}}]}


def message(*blocks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "content": list(blocks),
        "stop_reason": "end_turn",
        **more,
    }


def piece(delta: dict[str, Any]) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 0, "delta": delta}


async def test_a_piece_that_is_no_text_is_doubted_and_breaks_nothing():
    for odd in ({"a": 1}, ["ok"], 7):
        reply = await streamed(piece({"type": "text_delta", "text": odd}))
        assert reply.text == "ok"
        assert "a piece that is no text" in str(reply.unread)


async def streamed(*extra: dict[str, Any], start: dict[str, Any] | None = None, reason: str = "end_turn") -> ModelReply:
    told = [
        {"type": "message_start", "message": start or message(stop_reason=None, usage={"input_tokens": 1})},
        {"type": "ping"},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        piece({"type": "text_delta", "text": "ok"}),
        {"type": "content_block_stop", "index": 0},
        *extra,
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": None},
            "usage": {"output_tokens": 1, "server_tool_use": {"web_search_requests": 1}},
        },
        {"type": "message_stop"},
    ]

    async def events() -> AsyncIterator[bytes]:
        for each in told:
            yield json.dumps(each).encode()

    return await read_stream(events())


@pytest.mark.parametrize(
    "told",
    [
        message(SAID, **TOLD),
        message({**SAID, **TOLD}),
        message({**SAID, "name": "delete_order", "input": {}}),
        message({"type": "thinking", "thinking": "", "name": "delete_order", "input": {}}, SAID),
        message({**CALL, "name": "search", "function": {"name": "delete_order"}}),
        message(SAID, stop_reason="tool_use"),
    ],
)
def test_what_stands_beside_the_blocks_is_unread(told):
    assert read_whole(json.dumps(told).encode()).unread


@pytest.mark.parametrize(
    "told",
    [
        json.dumps(message(CALL))[:-1] + f', "content": {json.dumps([SAID])}}}',
        json.dumps(message(SAID, CALL)).replace('"name":', '"name": "delete_order", "name":'),
    ],
)
def test_a_key_written_twice_is_unread(told):
    assert "an object with a key written twice" in [piece.where for piece in read_whole(told.encode()).unread]


@pytest.mark.parametrize(
    "extra",
    [
        {"type": "message_start", "message": message()},
        {"type": "tool_use", "name": "delete_order", "input": {}},
        piece({"type": "tool_use", "name": "delete_order", "input": {}}),
        piece({"type": "text_delta", "text": "ok", "partial_json": '{"name": "delete_order"}'}),
        {"type": "message_delta", "delta": {"content": [CALL]}},
        {"type": "message_delta", "delta": {"text": "more words"}},
        {"type": "content_block_stop", "index": 1, "content_block": CALL},
    ],
)
async def test_events_nobody_reads_are_unread(extra):
    assert (await streamed(extra)).unread


@pytest.mark.parametrize("block", [CALL, SAID])
async def test_content_of_the_first_event_is_unread(block):
    assert (await streamed(start=message(block))).unread


async def test_a_stop_for_a_call_that_nobody_told_is_unread():
    assert [(told.where, told.may_hold) for told in (await streamed(reason="tool_use")).unread] == [
        ("stop_reason, although no call was read", "call")
    ]


async def test_an_ordinary_answer_is_read_without_doubt():
    thought = {"type": "thinking", "thinking": "hm", "signature": "abc"}
    cited = {**SAID, "citations": [{"type": "char_location", "cited_text": "x", "document_title": "The tool"}]}
    hosted = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}}
    result = {"type": "web_search_tool_result", "tool_use_id": "s", "content": [{"type": "web_search_result"}]}
    usage = {"input_tokens": 1, "output_tokens": 1, "server_tool_use": {"web_search_requests": 1}}
    told = message(thought, hosted, result, cited, {**CALL, "caller": {"type": "direct"}}, usage=usage, container=None)
    assert read_whole(json.dumps(told).encode()).unread == ()
    assert (await streamed()).unread == ()
