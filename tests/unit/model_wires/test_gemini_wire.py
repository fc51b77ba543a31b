"""Gemini's answers: words, calls, thoughts, tokens, and what nobody can read."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.fakes import model_provider

from vivavoce.errors import CallFailed
from vivavoce.model.message import Usage
from vivavoce.model_wires.gemini_wire import read_stream, read_whole

CALL = {"functionCall": {"name": "refund", "args": {"order": "A-17"}}}


def answer(*parts: Any, **more: Any) -> dict[str, Any]:
    said = {"content": {"role": "model", "parts": list(parts)}, "finishReason": "STOP", "index": 0}
    return {"candidates": [{**said, **more}], "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 4}}


async def events(*pieces: Any) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield json.dumps(piece).encode()


def test_words_calls_and_tokens_are_read():
    reply = read_whole(json.dumps(answer({"text": "One "}, {"text": "moment."}, CALL)).encode())
    assert reply.text == "One moment."
    assert [(call.name, call.args) for call in reply.calls] == [("refund", {"order": "A-17"})]
    assert (reply.usage, reply.finish_reason, reply.unread) == (Usage(3, 4), "tool_calls", ())


def test_thoughts_are_no_words_and_cost_tokens():
    told = answer({"text": "hm", "thought": True}, {"text": "yes"})
    told["usageMetadata"]["thoughtsTokenCount"] = 6
    reply = read_whole(json.dumps(told).encode())
    assert (reply.text, reply.extra["reasoning"], reply.usage) == ("yes", "hm", Usage(3, 10))


def test_code_that_the_provider_ran_is_a_call_with_its_result():
    ran = ({"executableCode": {"code": "1+1"}}, {"codeExecutionResult": {"output": "2"}})
    reply = read_whole(json.dumps(answer(*ran)).encode())
    assert [(call.name, call.result) for call in reply.calls] == [("code_execution", {"output": "2"})]
    assert reply.finish_reason == "stop"


async def test_a_stream_is_put_together():
    whole = model_provider.content({"contents": [{"parts": [{"text": "refund"}]}], "tools": "find_order"})
    said = await read_stream(events(*(data for _, data in model_provider.content_events(whole))))
    assert [call.name for call in said.calls] == ["find_order"]


async def test_a_stream_that_breaks_off_is_an_error():
    with pytest.raises(CallFailed, match="without a finishReason"):
        await read_stream(events({"candidates": [{"content": {"parts": [{"text": "half"}]}}]}))


@pytest.mark.parametrize(
    "told",
    [
        answer({"toolCall": {"name": "pay"}}),
        {**answer({"text": "a"}), "tool_calls": [{"name": "pay", "args": {}}]},
        {"candidates": [*answer({"text": "a"})["candidates"], {"index": 1, "content": {"parts": [CALL]}}]},
    ],
)
def test_what_nobody_reads_is_unread(told: Any):
    assert read_whole(json.dumps(told).encode()).unread


@pytest.mark.parametrize("told", ["[1]", "nonsense", '{"error": {"message": "no key"}}', "{}"])
def test_what_is_no_answer_is_an_error(told: str):
    with pytest.raises(CallFailed):
        read_whole(told.encode())


def test_an_impossible_count_is_an_error():
    told = {**answer({"text": "a"}), "usageMetadata": {"promptTokenCount": -1}}
    with pytest.raises(CallFailed, match="usageMetadata"):
        read_whole(json.dumps(told).encode())


def test_a_blocked_prompt_says_so():
    assert read_whole(b'{"promptFeedback": {"blockReason": "SAFETY"}}').finish_reason == "content_filter"


FORBIDDEN = {"name": "delete_order", "args": {}}
OVERLOOKED: dict[str, Any] = {
    "a call in snake case beside a text": answer({"text": "hi", "function_call": FORBIDDEN}),
    "a list of calls beside a text": answer({"text": "hi", "functionCalls": [FORBIDDEN]}),
    "a call and a text in one part": answer({"text": "hi", "functionCall": [FORBIDDEN]}),
    "a call beside data": answer({"inlineData": {"data": ""}, "function_call": FORBIDDEN}),
    "two calls in one part": answer({"executableCode": {"code": "1"}, "functionCall": {"name": "look", "args": {}}}),
    "parts that are no list": {
        "candidates": [{"content": {"parts": {"functionCall": FORBIDDEN}}, "finishReason": "STOP"}]
    },
    "content that is no object": {"candidates": [{"content": [{"functionCall": FORBIDDEN}], "finishReason": "STOP"}]},
    "candidates that are no list": {
        "candidates": {"content": {"parts": [{"functionCall": FORBIDDEN}]}},
        "promptFeedback": {"blockReason": "OTHER"},
    },
    "calls among the sources": answer({"text": "hi"}, groundingMetadata={"toolCalls": [FORBIDDEN]}),
    "calls beside the parts": {
        "candidates": [{"content": {"parts": [{"text": "hi"}], "functionCalls": [FORBIDDEN]}, "finishReason": "STOP"}]
    },
    "a finish by a call that is nowhere": answer(finishReason="UNEXPECTED_TOOL_CALL"),
}


@pytest.mark.parametrize("how", OVERLOOKED)
def test_a_call_where_nobody_looks_is_unread(how: str):
    reply = read_whole(json.dumps(OVERLOOKED[how]).encode())
    assert any(piece.may("call") for piece in reply.unread)
