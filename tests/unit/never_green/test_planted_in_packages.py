"""A forbidden call in what a package's model answers, then bent out of shape: it is seen, or nothing is green."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from tests.fakes.bending import OTHER, bend
from tests.fakes.planting import ARGS, NAME, OPENAI_CALL, TEXT, TOOL_USE, outcome_of

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply, Message
from vivavoce.model.verdict import Outcome
from vivavoce.model_wires import anthropic_wire, gemini_wire, openai_wire, responses_stream, responses_wire
from vivavoce.protocols import ModelReply, ModelRequest, ToolSpec
from vivavoce.targets.agent_package.loop import ToolLoop
from vivavoce.targets.agent_package.tools import Tool

Read = Callable[[Any], Awaitable[ModelReply]]


def whole(read: Callable[[bytes], ModelReply]) -> Read:
    async def answered(body: Any) -> ModelReply:
        return read(json.dumps(body).encode())

    return answered


def streamed(read: Callable[[AsyncIterator[bytes]], Awaitable[ModelReply]], *end: bytes) -> Read:
    async def answered(events: Any) -> ModelReply:
        async def told() -> AsyncIterator[bytes]:
            for event in events if isinstance(events, list) else [events]:
                yield json.dumps(event).encode()
            for event in end:
                yield event

        return await read(told())

    return answered


def chunk(delta: Any, finish: str | None = None) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


TOLD = json.dumps(ARGS)
ITEM = {"type": "function_call", "call_id": "c1", "name": NAME, "arguments": TOLD}
RESPONSE = {"object": "response", "status": "completed", "output": [ITEM]}
STARTED = {"type": "message_start", "message": {"role": "assistant", "content": []}}
ANSWERS: dict[str, tuple[Read, Any]] = {
    "chat": (
        whole(openai_wire.read_whole),
        {"choices": [{"message": {"content": TEXT, "tool_calls": [OPENAI_CALL]}, "finish_reason": "tool_calls"}]},
    ),
    "chat, streamed": (
        streamed(openai_wire.read_stream, b"[DONE]"),
        [chunk({"content": TEXT}), chunk({"tool_calls": [{"index": 0, **OPENAI_CALL}]}), chunk({}, "tool_calls")],
    ),
    "messages": (
        whole(anthropic_wire.read_whole),
        {"type": "message", "role": "assistant", "stop_reason": "tool_use", "content": [TOOL_USE]},
    ),
    "messages, streamed": (
        streamed(anthropic_wire.read_stream),
        [
            STARTED,
            {"type": "content_block_start", "index": 0, "content_block": {**TOOL_USE, "input": {}}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": TOLD}},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
            {"type": "message_stop"},
        ],
    ),
    "responses": (whole(responses_wire.read_whole), RESPONSE),
    "responses, streamed": (
        streamed(responses_stream.read_stream),
        [
            {"type": "response.output_item.added", "output_index": 0, "item": {**ITEM, "arguments": ""}},
            {"type": "response.output_item.done", "output_index": 0, "item": ITEM},
            {"type": "response.completed", "response": RESPONSE},
        ],
    ),
    "gemini": (
        whole(gemini_wire.read_whole),
        {
            "candidates": [
                {"content": {"parts": [{"functionCall": {"name": NAME, "args": ARGS}}]}, "finishReason": "STOP"}
            ]
        },
    ),
}


class Model:
    """Says the read answer first, and then that it is done."""

    def __init__(self, first: ModelReply) -> None:
        self._replies = [first, ModelReply(text=TEXT)]

    async def complete(self, request: ModelRequest) -> ModelReply:
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]


async def gone(*_: Any) -> str:
    return "gone"


async def reply_of(read: Read, body: Any) -> AgentReply:
    tools = {name: Tool(ToolSpec(name=name), gone) for name in (NAME, OTHER)}
    loop = ToolLoop(Model(await read(body)), tools, {}, {"metadata": {}})  # pyright: ignore[reportArgumentType]
    return loop.reply(await loop.run([Message(role="user", content="go")]), UNSET)


async def is_green(read: Read, body: Any) -> bool:
    try:
        reply = await reply_of(read, body)
    except CallFailed:
        return False
    return await outcome_of(reply) is Outcome.PASSED


@pytest.mark.parametrize("how", ANSWERS)
async def test_the_call_is_seen(how: str):
    assert await outcome_of(await reply_of(*ANSWERS[how])) is Outcome.FAILED


@settings(max_examples=250)
@given(data=st.data(), times=st.sampled_from([1, 1, 2]))
async def test_a_bent_answer_is_never_green(data: st.DataObject, times: int):
    read, body = ANSWERS[data.draw(st.sampled_from(sorted(ANSWERS)))]
    bent = data.draw(st.composite(lambda draw: bend(draw, body, NAME, times))())
    assert not await is_green(read, bent), bent


async def test_an_ordinary_answer_is_green():
    for read, body in ANSWERS.values():
        assert await is_green(read, json.loads(json.dumps(body).replace(NAME, OTHER)))
