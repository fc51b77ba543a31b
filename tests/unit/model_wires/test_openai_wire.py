"""Chat completions: what is sent, and what an answer or its stream is read as."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec import UNSET

from vivavoce.errors import CallFailed
from vivavoce.model.message import Message, Usage
from vivavoce.model_wires.openai_wire import read_stream, read_whole, structured, wire_message, wire_tools
from vivavoce.protocols import ModelReply, ToolSpec

REFUND = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"order": 7}'}}


def answer(*messages: dict[str, Any], reason: str = "stop", **more: Any) -> bytes:
    choices = [{"index": at, "message": message, "finish_reason": reason} for at, message in enumerate(messages)]
    return json.dumps({"choices": choices, **more}).encode()


def delta(reason: str | None = None, index: int = 0, **said: Any) -> bytes:
    return json.dumps({"choices": [{"index": index, "delta": said, "finish_reason": reason}]}).encode()


async def streamed(*events: bytes) -> ModelReply:
    async def sent() -> AsyncIterator[bytes]:
        for event in events:
            yield event

    return await read_stream(sent())


# ── what is sent ──


def test_our_own_ids_are_not_sent():
    assert wire_message(Message(role="user", content="hi", id="u1")) == {"role": "user", "content": "hi"}


def test_a_message_that_only_calls_has_no_content():
    sent = wire_message(Message(role="assistant", content="", tool_calls=[REFUND]))
    assert (sent["content"], sent["tool_calls"]) == (None, [REFUND])


def test_a_tool_s_answer_names_its_call():
    sent = wire_message(Message(role="tool", content="done", tool_call_id="c1", name="refund"))
    assert sent == {"role": "tool", "content": "done", "tool_call_id": "c1", "name": "refund"}


def test_the_bytes_of_a_file_are_sent_and_an_address_stays():
    near = {"type": "file", "file": {"url": "data:text/plain;base64,aGk=", "filename": "t.txt"}}
    far = {"type": "file", "file": {"url": "https://x/t.txt"}}
    sent = wire_message(Message(role="user", content=[near, far]))
    data = {"file_data": "data:text/plain;base64,aGk=", "filename": "t.txt"}
    assert sent["content"] == [{"type": "file", "file": data}, far]


def test_tools_without_parameters_still_have_a_schema():
    [tool] = wire_tools([ToolSpec(name="now")])
    assert tool["function"]["parameters"] == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ('{"a": 1}', {"type": "json_object"}, {"a": 1}),
        ('Here: {"a": 1}', {"type": "json_schema"}, {"a": 1}),
        ("no idea", {"type": "json_object"}, UNSET),
        ('{"a": 1}', {"type": "text"}, UNSET),
        ('{"a": 1}', None, UNSET),
    ],
)
def test_json_is_read_only_when_it_was_asked_for(text: str, wanted: Any, found: Any):
    assert structured(text, {"response_format": wanted}) == found


# ── what comes back ──


def test_words_calls_thoughts_and_usage_are_read():
    message = {"content": "On it.", "reasoning_content": "hm", "tool_calls": [REFUND]}
    usage = {"prompt_tokens": 5, "completion_tokens": 3, "cost": 0.5}
    reply = read_whole(answer(message, reason="tool_calls", usage=usage))
    assert (reply.text, reply.usage, reply.extra) == ("On it.", Usage(5, 3, 0.5), {"reasoning": "hm"})
    assert [(call.name, call.args) for call in reply.calls] == [("refund", {"order": 7})]
    assert reply.unread == ()


@pytest.mark.parametrize(
    "message",
    [
        {"tool_calls": [REFUND]},
        {"toolCalls": [REFUND]},
        {"function_call": REFUND["function"]},
        {"content": [{"type": "tool_use", "id": "c1", "name": "refund", "input": {"order": 7}}]},
    ],
)
def test_a_call_is_read_in_every_way_in_which_it_is_written(message: dict[str, Any]):
    reply = read_whole(answer(message, reason="tool_calls"))
    assert [(call.name, call.args) for call in reply.calls] == [("refund", {"order": 7})]


def test_a_refusal_is_part_of_the_answer():
    assert read_whole(answer({"content": "Well.", "refusal": "I may not."})).text == "Well.\nI may not."


def test_a_second_choice_is_unread():
    [unread] = read_whole(answer({"content": "one"}, {"tool_calls": [REFUND]})).unread
    assert ("$.choices[1]" in unread.where, "refund" in unread.piece) == (True, True)


def test_an_end_for_a_call_that_is_not_shown_is_doubted():
    [unread] = read_whole(answer({"content": "hi"}, reason="tool_calls")).unread
    assert unread.may_hold == "call"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"{", "no chat completion"),
        (b'{"error": {"message": "overloaded"}}', "overloaded"),
        (b"{}", "the reply has no choices"),
        (answer({"content": "hi"}, usage={"cost": -1}), "usage.cost is -1"),
        (answer({"content": "hi"}, usage={"prompt_tokens": -1}), "no chat completion"),
    ],
)
def test_what_is_no_completion_is_an_error(content: bytes, what: str):
    with pytest.raises(CallFailed, match=what):
        read_whole(content)


def test_a_usage_without_a_known_field_is_unknown():
    assert read_whole(answer({"content": "hi"}, usage={"tokens": 5})).usage is None


# ── streams ──


async def test_a_stream_is_put_together():
    start = {"index": 0, "id": "c1", "function": {"name": "refund", "arguments": '{"ord'}}
    rest = {"index": 0, "function": {"arguments": 'er": 7}'}}
    reply = await streamed(
        delta(content="On "),
        delta(content="it."),
        delta(tool_calls=[start]),
        delta(tool_calls=[rest]),
        delta("tool_calls"),
        b'{"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 3}}',
        b"[DONE]",
    )
    assert (reply.text, reply.usage) == ("On it.", Usage(5, 3))
    assert [(call.name, call.args) for call in reply.calls] == [("refund", {"order": 7})]
    assert reply.unread == ()


async def test_a_stream_that_breaks_off_is_an_error():
    with pytest.raises(CallFailed, match="without a finish reason, after 3 characters and 0 tool calls"):
        await streamed(delta(content="On "))


async def test_an_error_in_a_stream_is_said():
    with pytest.raises(CallFailed, match="overloaded"):
        await streamed(delta(content="On "), b'{"error": {"message": "overloaded"}}')


async def test_what_comes_after_the_end_is_unread():
    reply = await streamed(delta("stop", content="hi"), b"[DONE]", delta(tool_calls=[REFUND]))
    assert reply.calls == ()
    assert "after [DONE]" in reply.unread[0].where


async def test_pieces_of_another_choice_are_unread():
    reply = await streamed(delta(content="hi"), delta(index=1, content="other"), delta("stop"), b"[DONE]")
    assert reply.text == "hi"
    assert [unread.piece for unread in reply.unread] == ["other"]
