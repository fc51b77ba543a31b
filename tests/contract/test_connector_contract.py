"""What every connector must do, whatever wire it speaks."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.openai_server import OpenAiServer, Reply
from tests.fakes.surroundings import surroundings_at

from vivavoce.errors import CallFailed
from vivavoce.model.message import Message, ToolCall, calls_with_results
from vivavoce.plugins.catalog import CONNECTORS
from vivavoce.protocols import Connector, ModelReply, ModelRequest, ToolSpec

KINDS = ("openai", "openai streaming", "anthropic", "anthropic streaming", "scripted")
WITH_TESTS_OF_THEIR_OWN = {"openai-responses": "test_responses.py", "embeddings": "test_embeddings.py"}
"""Wires of another form, which the server below does not speak."""
TOOL = ToolSpec(name="add", parameters={"type": "object", "properties": {"a": {"type": "integer"}}})
RULES = [
    {"when": "^hang", "say": "x", "delay": "1h"},
    {"when": "^fail", "fail": "no model"},
    {"when": "^add", "call": {"name": "add", "args": {"a": 1}}, "usage": {"input_tokens": 3, "output_tokens": 4}},
    {"after_tool": "add", "say": "it is {{ result }}"},
    {"when": "^json", "data": {"n": 1}},
    {"say": "you said: {{ user }}"},
]


def decide(said: str, result: str | None) -> Reply:
    """The same rules for a server."""
    if result is not None:
        return Reply(f"it is {result}")
    match said.split()[0]:
        case "hang":
            return Reply(delay_s=60)
        case "fail":
            return Reply(status=503, body={"error": {"message": "no model"}})
        case "add":
            return Reply(calls=[("add", {"a": 1})], usage={"prompt_tokens": 3, "completion_tokens": 4})
        case "json":
            return Reply('{"n": 1}')
        case _:
            return Reply(f"you said: {said}")


def as_openai(body: dict[str, Any]) -> Reply:
    messages = body["messages"]
    said = next(message["content"] for message in reversed(messages) if message["role"] == "user")
    return decide(said, messages[-1]["content"] if messages[-1]["role"] == "tool" else None)


def as_anthropic(body: dict[str, Any]) -> Reply:
    blocks = [block for message in body["messages"] if message["role"] == "user" for block in message["content"]]
    said = next(block["text"] for block in reversed(blocks) if block["type"] == "text")
    last = blocks[-1]
    reply = decide(said, last["content"][0]["text"] if last["type"] == "tool_result" else None)
    if reply.status != 200 or reply.delay_s:
        return reply
    content: list[dict[str, Any]] = [{"type": "text", "text": reply.text}] if reply.text else []
    content += [{"type": "tool_use", "id": "c0", "name": name, "input": args} for name, args in reply.calls]
    usage = {"input_tokens": 3, "output_tokens": 4}
    reason = "tool_use" if reply.calls else "end_turn"
    if not body["stream"]:
        return Reply(body={"type": "message", "content": content, "stop_reason": reason, "usage": usage})
    events: list[dict[str, Any]] = [{"type": "message_start", "message": {"usage": usage}}]
    events += [{"type": "content_block_start", "index": at, "content_block": b} for at, b in enumerate(content)]
    events += [{"type": "message_delta", "delta": {"stop_reason": reason}}, {"type": "message_stop"}]
    return Reply(raw=[f"data: {json.dumps(event)}\n\n".encode() for event in events], content_type="text/event-stream")


@asynccontextmanager
async def connector_of(kind: str, tmp_path) -> AsyncIterator[Connector]:
    name, _, streaming = kind.partition(" ")
    async with (
        OpenAiServer(as_anthropic if name == "anthropic" else as_openai) as server,
        surroundings_at(tmp_path) as around,
    ):
        options = {"rules": RULES} if name == "scripted" else {"host": server.url, "stream": bool(streaming)}
        yield CONNECTORS.load(name)("c", options, around)


def asking(text: str, **fields: Any) -> ModelRequest:
    return ModelRequest(messages=[Message(role="user", content=text)], tools=[TOOL], **fields)


@pytest.fixture(params=KINDS)
async def connector(request, tmp_path):
    async with connector_of(request.param, tmp_path) as made:
        yield made


async def test_it_answers_with_text_and_a_finish_reason(connector):
    reply = await connector.complete(asking("hello"))
    assert isinstance(reply, ModelReply)
    assert (reply.text, reply.calls, reply.finish_reason) == ("you said: hello", (), "stop")


async def test_it_asks_for_tools_and_takes_their_results(connector):
    asked = asking("add it")
    reply = await connector.complete(asked)
    (call,) = reply.calls
    assert (call.name, call.args, call.result is not None and bool(call.result)) == ("add", {"a": 1}, False)
    assert call.id
    assert reply.finish_reason == "tool_calls"
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (3, 4)
    done = ToolCall(id=call.id, name=call.name, args=call.args, result=2)
    history = [*asked.messages, *calls_with_results([done])]
    assert (await connector.complete(ModelRequest(messages=history, tools=[TOOL]))).text == "it is 2"


async def test_structured_output_is_data(connector):
    wish = {"response_format": {"type": "json_object"}}
    assert (await connector.complete(asking("json please", options=wish))).data == {"n": 1}


async def test_requests_at_once_do_not_mix(connector):
    replies = await asyncio.gather(*(connector.complete(asking(f"line {at}")) for at in range(20)))
    assert [reply.text for reply in replies] == [f"you said: line {at}" for at in range(20)]


async def test_a_model_that_cannot_be_had_blames_the_target(connector):
    with pytest.raises(CallFailed, match="no model") as caught:
        await connector.complete(asking("fail now"))
    assert caught.value.fault == "target"


async def test_a_hanging_model_can_be_cancelled(connector):
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await connector.complete(asking("hang up"))


def test_every_connector_of_the_catalogue_is_held_to_this():
    assert {kind.split()[0] for kind in KINDS} | {*WITH_TESTS_OF_THEIR_OWN} == set(CONNECTORS)
    for module in WITH_TESTS_OF_THEIR_OWN.values():
        assert (Path(__file__).parents[1] / "unit" / "connectors" / module).is_file()
