"""What each kind of fault does to a tool or to a model that viva calls itself."""

from typing import Any

import pytest

from vivavoce.errors import CallFailed, TurnedAway
from vivavoce.model.model_exchange import ModelReply, ModelRequest
from vivavoce.model.tool_answer import ToolAnswer
from vivavoce.notation.fault_notation import read_fault
from vivavoce.sight.faults.failing import failing_model, failing_tool

asked: list[ModelRequest] = []


async def ask(request: ModelRequest) -> ModelReply:
    asked.append(request)
    return ModelReply(text="Hello there", finish_reason="stop")


async def struck(fault: Any) -> ModelReply:
    asked.clear()
    return await failing_model(read_fault(fault), ModelRequest(messages=()), ask)


@pytest.mark.parametrize("kind", ["slow", "stall"])
async def test_a_late_answer_is_the_real_one(kind: str):
    reply = await struck({"at": "model", "kind": kind, "for": "1ms"})
    assert (reply.text, len(asked)) == ("Hello there", 1)


@pytest.mark.parametrize(
    ("kind", "said"),
    [("cut", "cut off"), ("malformed", "no JSON"), ("context_length", "HTTP 400: This model's maximum context")],
)
async def test_a_broken_answer_fails_the_call_and_says_whose_fault_it_is(kind: str, said: str):
    with pytest.raises(CallFailed, match=said) as failure:
        await struck(f"model:{kind}")
    assert "(a fault of the test)" in failure.value.what


@pytest.mark.parametrize("kind", ["429", "503", "529"])
async def test_a_busy_model_turns_the_caller_away(kind: str):
    with pytest.raises(TurnedAway) as refusal:
        await struck({"at": "model", "kind": kind, "retry_after": "2s"})
    assert (refusal.value.status, refusal.value.retry_after_s, asked) == (int(kind), 2.0, [])


async def test_half_of_the_words_are_left():
    reply = await struck("model:length")
    assert (reply.text, reply.finish_reason) == ("Hello", "length")


async def test_a_failing_tool_does_not_run():
    async def run() -> ToolAnswer:
        raise AssertionError

    for kind in ("error", "timeout", "empty"):
        answer = await failing_tool(read_fault(f"tool:refund:{kind}"), run)
        assert (answer.error is None) == (kind == "empty")


async def test_an_error_of_the_tool_itself_stays():
    async def run() -> ToolAnswer:
        return ToolAnswer(error="no money")

    assert (await failing_tool(read_fault("tool:refund:huge"), run)).error == "no money"
