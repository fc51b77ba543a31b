"""Anthropic's messages: what is sent, and what an answer or its stream is read as."""

import base64
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.message import Message, Usage
from vivavoce.model_wires.anthropic_wire import read_stream, read_whole, system_text, wire_messages, wire_tools
from vivavoce.protocols import ModelReply, ToolSpec

CALL = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"order": 7}'}}


def said(role: str, content: Any = "", **more: Any) -> Message:
    return Message(role=role, content=content, **more)


def answer(*blocks: dict[str, Any], reason: str | None = "end_turn", **more: Any) -> bytes:
    return json.dumps({"type": "message", "content": blocks, "stop_reason": reason, **more}).encode()


async def streamed(*events: dict[str, Any]) -> ModelReply:
    async def sent() -> AsyncIterator[bytes]:
        for event in events:
            yield json.dumps(event).encode()

    return await read_stream(sent())


def begins(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def piece(index: int, **delta: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": delta}


START = {"type": "message_start", "message": {"type": "message", "usage": {"input_tokens": 9}}}
END = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 4}}


# ── what is sent ──


def test_system_messages_are_one_text_beside_the_turns():
    messages = [said("system", "Be kind."), said("user", "hi"), said("developer", "Be brief.")]
    assert system_text(messages) == "Be kind.\n\nBe brief."
    assert wire_messages(messages) == [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]


def test_neighbours_of_one_role_are_one_turn():
    result = said("tool", "done", tool_call_id="c1")
    turns = wire_messages([said("user", "go"), said("assistant", tool_calls=[CALL]), result, said("user", "and?")])
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert [block["type"] for block in turns[2]["content"]] == ["tool_result", "text"]
    assert turns[1]["content"] == [{"type": "tool_use", "id": "c1", "name": "refund", "input": {"order": 7}}]


def test_a_failed_tool_says_so():
    [turn] = wire_messages([said("tool", "no", tool_call_id="c1", is_error=True)])
    assert turn["content"][0]["is_error"] is True


def test_arguments_that_are_no_object_are_sent_inside_one():
    broken = {"id": "c1", "function": {"name": "refund", "arguments": "[1]"}}
    [turn] = wire_messages([said("assistant", tool_calls=[broken])])
    assert turn["content"][0]["input"] == {"arguments": "[1]"}


def test_tools_without_parameters_still_have_a_schema():
    [tool] = wire_tools([ToolSpec(name="now")])
    assert tool["input_schema"] == {"type": "object", "properties": {}}


def data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


@pytest.mark.parametrize(
    ("part", "block"),
    [
        ({"type": "image_url", "image_url": {"url": "https://x/y.png"}}, ("image", "url")),
        ({"type": "image_url", "image_url": {"url": data("image/png", b"1")}}, ("image", "base64")),
        ({"type": "file", "file": {"file_data": data("image/png", b"1")}}, ("image", "base64")),
        ({"type": "file", "file": {"file_data": data("application/pdf", b"1")}}, ("document", "base64")),
        ({"type": "file", "file": {"file_data": data("text/csv", b"a,b")}}, ("document", "text")),
        ({"type": "file", "file": {"file_id": "f1"}}, ("document", "file")),
    ],
)
def test_files_are_images_or_documents(part: dict[str, Any], block: tuple[str, str]):
    [turn] = wire_messages([said("user", [part])])
    sent = turn["content"][0]
    assert (sent["type"], sent["source"]["type"]) == block


def test_the_words_of_a_text_file_are_sent_as_words():
    file = {"file_data": data("text/csv", b"a,b"), "filename": "t.csv"}
    [turn] = wire_messages([said("user", [{"type": "file", "file": file}])])
    assert (turn["content"][0]["source"]["data"], turn["content"][0]["title"]) == ("a,b", "t.csv")


@pytest.mark.parametrize(
    "part",
    [{"type": "input_audio"}, {"type": "file", "file": {"file_data": data("text/plain", b"\xff"), "filename": "t"}}],
)
def test_content_that_cannot_be_sent_is_the_tests_fault(part: dict[str, Any]):
    with pytest.raises(CallFailed) as caught:
        wire_messages([said("user", [part])])
    assert caught.value.fault == "test"


# ── what comes back ──


def test_words_calls_thoughts_and_usage_are_read():
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "On it."},
        {"type": "tool_use", "id": "c1", "name": "refund", "input": {"order": 7}},
    ]
    usage = {"input_tokens": 5, "output_tokens": 3}
    reply = read_whole(answer(*blocks, reason="tool_use", usage=usage))
    assert (reply.text, reply.finish_reason, reply.usage) == ("On it.", "tool_calls", Usage(5, 3))
    assert [(call.name, call.args) for call in reply.calls] == [("refund", {"order": 7})]
    assert reply.extra == {"reasoning": "hm"}
    assert reply.unread == ()


def test_a_usage_that_was_not_told_is_unknown():
    assert read_whole(answer({"type": "text", "text": "hi"})).usage is None


@pytest.mark.parametrize(
    "content",
    [b"{", b"[]", b'{"type": "error", "error": {"message": "overloaded"}}', b'{"content": []}', b"[" * 100_000],
)
def test_what_is_no_message_is_an_error(content: bytes):
    with pytest.raises(CallFailed, match="no Anthropic message"):
        read_whole(content)


def test_a_call_without_a_name_is_an_error():
    with pytest.raises(CallFailed, match="without a name"):
        read_whole(answer({"type": "tool_use", "id": "c1"}))


def test_a_block_of_an_unknown_type_is_unread():
    [unread] = read_whole(answer({"type": "tool_use_2", "name": "refund"})).unread
    assert "refund" in unread.piece


def test_a_message_that_ends_for_a_call_and_shows_none_is_doubted():
    [unread] = read_whole(answer({"type": "text", "text": "hi"}, reason="tool_use")).unread
    assert unread.may_hold == "call"


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        ({"content": "found"}, ("found", None)),
        ({"content": "gone", "is_error": True}, (None, "gone")),
        ({"content": {"type": "web_search_tool_result_error"}}, (None, '{"type":"web_search_tool_result_error"}')),
        (None, (None, "the provider showed no result")),
    ],
)
def test_a_call_that_the_provider_made_has_its_result(result: dict[str, Any] | None, shown: tuple[Any, Any]):
    made = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}
    after = [] if result is None else [{"type": "web_search_tool_result", "tool_use_id": "s1", **result}]
    [call] = read_whole(answer(made, *after)).calls
    assert (call.result or None, call.error) == shown


# ── streams ──


async def test_a_stream_is_put_together():
    reply = await streamed(
        START,
        begins(0, type="text"),
        piece(0, text="On "),
        piece(0, text="it."),
        begins(1, type="tool_use", id="c1", name="refund"),
        piece(1, partial_json='{"order"'),
        piece(1, partial_json=": 7}"),
        END,
        {"type": "message_stop"},
    )
    assert (reply.text, reply.usage) == ("On it.", Usage(9, 4))
    assert [(call.name, call.args) for call in reply.calls] == [("refund", {"order": 7})]
    assert reply.unread == ()


async def test_a_stream_that_breaks_off_is_an_error():
    with pytest.raises(CallFailed, match="without a stop reason, after 1 content blocks"):
        await streamed(START, begins(0, type="text"), piece(0, text="On "))


async def test_an_error_in_a_stream_is_said():
    with pytest.raises(CallFailed, match="overloaded"):
        await streamed(START, {"type": "error", "error": {"message": "overloaded"}})


@pytest.mark.parametrize(
    ("event", "where"),
    [
        (START, "a second message_start"),
        (begins(0, type="text"), "begun twice"),
        (piece(0, text=["x"]), "a piece that is no text"),
        (piece(8, text="x"), "a piece of no content block"),
    ],
)
async def test_pieces_that_do_not_fit_are_unread(event: dict[str, Any], where: str):
    reply = await streamed(START, begins(0, type="text"), event, END)
    assert any(where in unread.where for unread in reply.unread)
