import asyncio
import time

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.message import Message, ToolCall, Usage
from vivavoce.protocols import ModelReply, ModelRequest, ToolSpec
from vivavoce.targets.agent_package.loop import MOST_MODEL_CALLS, ToolLoop
from vivavoce.targets.agent_package.tools import Tool, ToolFailed
from vivavoce.targets.call_payload import Context


class Model:
    """A connector that says its lines in order, the last one for ever."""

    def __init__(self, *replies: ModelReply) -> None:
        self._replies = replies
        self.heard: list[list[Message]] = []
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        self.heard.append(list(request.messages))
        return self._replies[min(len(self.heard), len(self._replies)) - 1]


def calls(*names: str, text: str = "", **args) -> ModelReply:
    made = tuple(ToolCall(id=f"c{at}", name=name, args=args) for at, name in enumerate(names))
    return ModelReply(text=text, calls=made, finish_reason="tool_calls", usage=Usage(10, 1))


def tool(name: str, run) -> dict[str, Tool]:
    return {name: Tool(ToolSpec(name=name), run)}


async def double(args, _ctx):
    return {"doubled": args.get("n", 0) * 2}


DONE = ModelReply(text="done", finish_reason="stop", usage=Usage(20, 2))


def loop_with(model: Model, tools: dict[str, Tool]) -> ToolLoop:
    return ToolLoop(model, tools, {"temperature": 0}, Context(metadata={"m": 1}))


async def run(model: Model, tools: dict[str, Tool]):
    loop = loop_with(model, tools)
    last = await loop.run([Message(role="user", content="go")])
    return loop.reply(last, last.data)


async def test_results_go_back_to_the_model_until_it_stops():
    model = Model(calls("double", text="let me see", n=4), DONE)
    started_ms = time.time() * 1000
    reply = await run(model, tool("double", double))
    assert reply.text == "done"
    assert reply.texts == ("let me see", "done")
    assert reply.usage == Usage(30, 3)
    assert reply.finish_reason == "stop"
    (call,) = reply.calls
    assert (call.args, call.result, call.error) == ({"n": 4}, {"doubled": 8}, None)
    assert call.started_ms is not None
    assert call.completed_ms is not None
    assert started_ms <= call.started_ms <= call.completed_ms <= time.time() * 1000
    assert [message.role for message in model.heard[1]] == ["user", "assistant", "tool"]
    assert model.heard[1][1].content == "let me see"
    assert (model.heard[1][2].tool_call_id, model.heard[1][2].content) == ("c0", '{"doubled":8}')


async def test_the_reply_carries_the_real_history():
    reply = await run(Model(calls("double", n=1), DONE), tool("double", double))
    assert [message.role for message in reply.messages] == ["assistant", "tool", "assistant"]
    assert reply.messages[0].tool_calls is not None
    assert reply.messages[-1].content == "done"


async def test_options_metadata_and_tools_reach_the_model():
    model = Model(DONE)
    await run(model, tool("double", double))
    request = model.requests[0]
    assert (request.options, request.metadata) == ({"temperature": 0}, {"m": 1})
    assert [spec.name for spec in request.tools] == ["double"]


async def test_parallel_calls_run_at_once_and_are_recorded_in_order():
    both = asyncio.Barrier(2)

    async def meet(args, _ctx):
        async with asyncio.timeout(60):
            await both.wait()
        return "met"

    tools = {**tool("one", meet), **tool("two", meet)}
    reply = await run(Model(calls("one", "two"), DONE), tools)
    assert [(call.name, call.result) for call in reply.calls] == [("one", "met"), ("two", "met")]


async def test_unknown_and_failing_tools_are_told_to_the_model():
    async def fail(_args, _ctx):
        raise ToolFailed("no money")

    model = Model(calls("gone", "pay"), DONE)
    reply = await run(model, tool("pay", fail))
    assert [call.error for call in reply.calls] == ["unknown tool 'gone' (known: pay)", "no money"]
    assert not any(call.result for call in reply.calls)
    assert [message.content for message in model.heard[1][2:]] == ["unknown tool 'gone' (known: pay)", "no money"]
    assert reply.text == "done"


async def test_a_loop_without_end_is_the_agents_fault():
    model = Model(calls("double"))
    with pytest.raises(CallFailed, match=r"tool loop did not end: 20 model calls, 20 tool calls \(double\)") as caught:
        await run(model, tool("double", double))
    assert caught.value.fault == "agent"
    assert len(model.heard) == MOST_MODEL_CALLS


async def test_a_tool_for_others_ends_the_turn_without_a_result():
    model = Model(calls("ask_user", text="one moment"))
    reply = await run(model, tool("ask_user", None))
    assert len(model.heard) == 1
    assert [(call.name, bool(call.result), call.error) for call in reply.calls] == [("ask_user", False, None)]
    assert (reply.text, reply.finish_reason) == ("one moment", "tool_calls")
    assert [message.role for message in reply.messages] == ["assistant", "tool"]


async def test_declarations_and_reasoning_reach_the_reply():
    said = ModelReply(text="sure?", extra={"awaiting_input": True, "input_hint": "y/n", "reasoning": "hmm"})
    reply = await run(Model(said), {})
    assert (reply.awaiting, reply.input_hint) == (True, "y/n")
    assert reply.trace == ({"type": "reasoning", "text": "hmm"},)


async def test_a_hanging_tool_can_be_cancelled():
    async def hang(_args, _ctx):
        await asyncio.sleep(60)

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await run(Model(calls("hang"), DONE), tool("hang", hang))
