"""Calls of a stream that breaks half way are kept, with the doubt that more was to come."""

import json

import pytest
from tests.fakes.openai_server import OpenAiServer, Reply
from tests.fakes.surroundings import surroundings_at

from vivavoce.errors import CallFailed
from vivavoce.model.message import Unread
from vivavoce.model.transcript import Line, Transcript
from vivavoce.model_wires.heard_so_far import HeardSoFar, on_broken_stream
from vivavoce.net.web_answers import bad_reply
from vivavoce.protocols import CallContext, ModelReply, TargetSpec
from vivavoce.targets.openai_compatible import OpenAiCompatibleTarget


def event(data) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def chat(delta) -> bytes:
    return event({"choices": [{"index": 0, "delta": delta}]})


def begun(name, arguments="{}", index=0) -> dict:
    return {"index": index, "id": f"c{index}", "function": {"name": name, "arguments": arguments}}


CHAT = [
    chat({"content": "One moment."}),
    chat({"tool_calls": [begun("delete_order", '{"id": 7}')]}),
    chat({"tool_calls": [begun("charge", '{"amo', 1)]}),
]
ANTHROPIC = [
    event({"type": "message_start", "message": {"content": []}}),
    event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "One moment."}}),
    event(
        {
            "type": "content_block_start",
            "index": 1,
            "content_block": {"type": "tool_use", "id": "c0", "name": "delete_order", "input": {"id": 7}},
        }
    ),
    event(
        {
            "type": "content_block_start",
            "index": 2,
            "content_block": {"type": "tool_use", "id": "c1", "name": "charge", "input": {}},
        }
    ),
    event({"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"amo'}}),
]
RESPONSES = [
    event({"type": "response.output_text.delta", "item_id": "m", "delta": "One moment."}),
    event(
        {
            "type": "response.output_item.done",
            "item": {"type": "function_call", "call_id": "c0", "name": "delete_order", "arguments": '{"id": 7}'},
        }
    ),
    event(
        {
            "type": "response.output_item.added",
            "item": {"type": "function_call", "call_id": "c1", "name": "charge", "arguments": '{"amo'},
        }
    ),
]


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path) as lent:
        yield lent


@pytest.mark.parametrize("hang_up", [True, False])
@pytest.mark.parametrize(
    ("kind", "events"), [("openai", CHAT), ("anthropic", ANTHROPIC), ("openai-responses", RESPONSES)]
)
@pytest.mark.parametrize("tools", [None, [{"name": "charge"}]])
async def test_the_calls_that_had_come_are_kept_when_a_stream_breaks(kind, events, hang_up, tools, around):
    broken = Reply(raw=events, content_type="text/event-stream", hang_up=hang_up)
    async with OpenAiServer(broken) as server:
        config = {kind: f"{server.url}/v1?model=m", "stream": True, "tools": tools}
        target = OpenAiCompatibleTarget(TargetSpec(id="shop", kind=kind, config=config), around)
        session = await target.open(CallContext(session_id="s"))
        with pytest.raises(CallFailed):
            await session.send(Line(content="hi"), Transcript())
        reply = session.so_far()
        await target.close()
    assert {call.name: call.args for call in reply.calls} == {"delete_order": {"id": 7}, "charge": '{"amo'}
    assert reply.text == "One moment."
    assert [piece.where for piece in reply.unread] == ["the rest of the stream"]


async def test_a_call_whose_name_never_came_is_unread(around):
    events = [chat({"tool_calls": [begun("look")]}), chat({"tool_calls": [{"index": 1, "id": "c1"}]})]
    async with OpenAiServer(Reply(raw=events, content_type="text/event-stream", hang_up=True)) as server:
        config = {"openai": f"{server.url}/v1?model=m", "stream": True}
        target = OpenAiCompatibleTarget(TargetSpec(id="shop", kind="openai", config=config), around)
        session = await target.open(CallContext(session_id="s"))
        with pytest.raises(CallFailed):
            await session.send(Line(content="hi"), Transcript())
    reply = session.so_far()
    assert [call.name for call in reply.calls] == ["look"]
    assert any("whose name never came" in piece.where for piece in reply.unread)


def test_a_call_that_ended_well_leaves_nothing():
    with HeardSoFar() as heard:
        on_broken_stream(lambda: ModelReply(text="hello"))
    assert heard.reply() == ModelReply()


def test_what_cannot_be_told_is_unread():
    def tell() -> ModelReply:
        raise bad_reply("a block without a name")

    def ask(heard: HeardSoFar) -> None:
        with heard:
            on_broken_stream(tell)
            raise ValueError("gone")

    heard = HeardSoFar()
    with pytest.raises(ValueError, match="gone"):
        ask(heard)
    assert heard.reply().unread[0] == Unread("a block without a name", "the stream")


def test_nobody_need_listen():
    on_broken_stream(ModelReply)
