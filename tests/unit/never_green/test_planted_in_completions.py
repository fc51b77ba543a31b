"""A forbidden call on the chat-completions wire, told in every way that servers have: seen, or never green."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.planting import NAME, OPENAI_CALL, TEXT, TOOL_USE, outcome_of

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply
from vivavoce.model.verdict import Outcome
from vivavoce.model_wires.openai_wire import read_stream, read_whole
from vivavoce.protocols import ModelReply


def as_reply(reply: ModelReply) -> AgentReply:
    return AgentReply(text=reply.text, calls=reply.calls, unread=reply.unread)


def whole(message: dict[str, Any], **more: Any) -> ModelReply:
    return read_whole(json.dumps({"choices": [{"index": 0, "message": message}], **more}).encode())


async def streamed(*deltas: dict[str, Any]) -> ModelReply:
    async def events() -> AsyncIterator[bytes]:
        for delta in deltas:
            yield json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode()
        yield b"[DONE]"

    return await read_stream(events())


def piece(name: str | None = None, arguments: str | None = None, **more: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {**more, "function": {key: value for key, value in function.items() if value is not None}}


def calls(*pieces: dict[str, Any]) -> dict[str, Any]:
    return {"tool_calls": [*pieces]}


READ = {
    "all with index 0, an id each": [
        calls(piece("look", "{}", index=0, id="a")),
        calls(piece(NAME, "{}", index=0, id="b")),
    ],
    "all with index 0, no ids": [calls(piece("look", "{}", index=0)), calls(piece(NAME, "{}", index=0))],
    "no index at all": [calls(piece("look", "{}", id="a")), calls(piece(NAME, "{}", id="b"))],
    "several in one piece, index 0": [calls(piece("look", "{}", index=0), piece(NAME, "{}", index=0))],
    "several in one piece, no index": [calls(piece("look", "{}"), piece(NAME, "{}"))],
    "the same tool twice": [calls(piece(NAME, '{"a":1}', index=0)), calls(piece(NAME, '{"a":2}', index=0))],
    "a name in two pieces": [
        calls(piece("delete_", "", index=0, id="a")),
        calls(piece("order", index=0)),
        calls(piece(None, "{}", index=0)),
    ],
    "no arguments, then another call": [calls(piece("look", index=0, id="a")), calls(piece(NAME, index=0, id="b"))],
    "camel case": [{"toolCalls": [piece(NAME, "{}", id="a")]}],
    "flat": [calls({"id": "a", "name": NAME, "arguments": {}})],
    "the old way": [{"function_call": {"name": NAME, "arguments": "{}"}}],
    "among the parts of the content": [{"content": [{"type": "text", "text": TEXT}, TOOL_USE]}],
}
DOUBTED = {
    "the rest of a name with the arguments": [
        calls(piece("delete_", "", index=0, id="a")),
        calls(piece("order", "{}", index=0)),
    ],
    "two names without ids": [
        calls(piece("look", index=0)),
        calls(piece(NAME, index=0)),
        calls(piece(None, "{}", index=0)),
    ],
    "an unknown field": [{"content": TEXT, "tool_uses": [TOOL_USE]}],
    "a field nobody knows": [{"content": TEXT, "extras": {"used": [{"tool": NAME, "args": {}}]}}],
    "an unknown part": [{"content": [{"type": "text", "text": TEXT}, {"type": "invocation", "of": NAME}]}],
}


@pytest.mark.parametrize("how", READ)
async def test_a_streamed_call_is_seen(how: str):
    assert await outcome_of(as_reply(await streamed(*READ[how]))) is Outcome.FAILED


@pytest.mark.parametrize("how", DOUBTED)
async def test_what_cannot_be_read_for_certain_breaks_the_check(how: str):
    assert await outcome_of(as_reply(await streamed(*DOUBTED[how]))) is Outcome.BROKEN


@pytest.mark.parametrize("how", [name for name in (*READ, *DOUBTED) if len({**READ, **DOUBTED}[name]) == 1])
async def test_a_whole_message_is_held_to_the_same(how: str):
    message = {**READ, **DOUBTED}[how][0]
    assert await outcome_of(as_reply(whole(message))) is not Outcome.PASSED


async def test_pieces_of_one_call_stay_one_call():
    reply = await streamed(
        calls(piece("pay", "", index=0, id="a")),
        calls(piece(None, '{"n"', index=0)),
        calls(piece("pay", ":1}", index=0, id="a")),
    )
    assert [(call.id, call.name, call.args) for call in reply.calls] == [("a", "pay", {"n": 1})]
    assert reply.unread == ()


async def test_a_second_choice_is_never_mixed_into_the_answer():
    async def events() -> AsyncIterator[bytes]:
        for index, delta in [
            (0, {"content": "a"}),
            (1, {"content": "X"}),
            (0, {"content": "b"}),
            (1, calls(piece(NAME))),
        ]:
            yield json.dumps({"choices": [{"index": index, "delta": delta}]}).encode()
        yield b"[DONE]"

    reply = await read_stream(events())
    assert reply.text == "ab"
    assert await outcome_of(as_reply(reply)) is Outcome.BROKEN
    two = read_whole(json.dumps({"choices": [{"message": {"content": "a"}}, {"message": {"content": "b"}}]}).encode())
    assert (two.text, [piece.where for piece in two.unread]) == ("a", ["$.choices[1]"])


def test_an_ordinary_answer_leaves_no_doubt():
    message = {"role": "assistant", "content": "hi", "tool_calls": None, "annotations": [], "refusal": None}
    reply = whole(message, model="m", usage={"prompt_tokens": 1, "completion_tokens": 2})
    assert (reply.text, reply.unread) == ("hi", ())


KEYS = ["tool_callz", "x", "function_calls", "extra"]


@settings(deadline=None, max_examples=300)
@given(data=st.data())
async def test_a_bent_message_is_never_green(data: st.DataObject):
    call: dict[str, Any] = json.loads(json.dumps(OPENAI_CALL))
    message: dict[str, Any] = {"role": "assistant", "content": TEXT, "tool_calls": [call]}
    place = data.draw(st.sampled_from([message, call, call["function"]]))
    key, new = data.draw(st.sampled_from(sorted(place))), data.draw(st.sampled_from(KEYS))
    match data.draw(st.sampled_from(["rename", "wrap", "list", "text"])):
        case "rename":
            place[new] = place.pop(key)
        case "wrap":
            place[key] = {new: place[key]}
        case "list":
            place[key] = [place[key]]
        case _:
            place[key] = place[key] if isinstance(place[key], str) else json.dumps(place[key])
    for read in (lambda: whole(message), None):
        try:
            reply = await streamed(message) if read is None else read()
        except CallFailed:
            continue
        assert await outcome_of(as_reply(reply)) is not Outcome.PASSED, message
