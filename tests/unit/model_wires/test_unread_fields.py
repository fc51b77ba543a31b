"""Calls and words on the chat-completions wire that stand beside what is read: unread, and nothing else is."""

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from tests.fakes.planting import NAME, OPENAI_CALL, TEXT, outcome_of

from vivavoce.model.case import AssertionSpec
from vivavoce.model.message import AgentReply
from vivavoce.model.verdict import Outcome
from vivavoce.model_wires.openai_wire import read_stream, read_whole
from vivavoce.protocols import ModelReply

SAID = {"role": "assistant", "content": TEXT}
CALLS = {"tool_calls": [OPENAI_CALL]}
LOOKUP = {"name": "lookup", "arguments": "{}"}


def completion(message: dict[str, Any], choice: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop", **(choice or {})}], **more}


def as_reply(reply: ModelReply) -> AgentReply:
    return AgentReply(text=reply.text, calls=reply.calls, unread=reply.unread)


def whole(told: dict[str, Any]) -> AgentReply:
    return as_reply(read_whole(json.dumps(told).encode()))


async def streamed(*told: dict[str, Any] | str) -> AgentReply:
    async def events() -> AsyncIterator[bytes]:
        for each in told:
            yield (each if isinstance(each, str) else json.dumps(each)).encode()

    return as_reply(await read_stream(events()))


def delta(said: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": said, **more}]}


WHOLE: dict[str, dict[str, Any]] = {
    "a message and a delta": completion(SAID, {"delta": CALLS}),
    "finished by calls": completion(SAID, {"finish_reason": "tool_calls"}),
    "finished by a call": completion(SAID, {"finish_reason": "function_call"}),
    "finished by tool use": completion(SAID, {"finish_reason": "tool_use"}),
    "a name beside the function": completion({**SAID, "tool_calls": [{"name": NAME, "function": LOOKUP}]}),
    "a tool beside the name": completion({**SAID, "tool_calls": [{"name": "lookup", "tool": NAME}]}),
    "custom beside the name": completion({**SAID, "tool_calls": [{"name": "lookup", "custom": {"name": NAME}}]}),
    "a tool inside the function": completion({**SAID, "tool_calls": [{"function": {**LOOKUP, "tool": NAME}}]}),
    "a tool inside the old call": completion({**SAID, "function_call": {**LOOKUP, "tool": NAME}}),
    "names of called tools": completion({**SAID, "called_tools": [NAME]}),
    "executed tools": completion({**SAID, "executed_tools": [{"type": NAME, "output": "x"}]}),
    "tool results": completion({**SAID, "tool_results": [{"name": NAME, "result": "done"}]}),
    "steps": completion(SAID, {"steps": [{"tool": NAME, "params": {}}]}),
    "steps by name": completion({**SAID, "steps": [NAME]}),
    "a text part with calls": completion({"content": [{"type": "text", "text": TEXT, **CALLS}]}),
    "a thinking part with a tool": completion({"content": [{"type": "thinking", "thinking": "x", "tool": NAME}]}),
    "usage": completion(SAID, usage={"prompt_tokens": 1, "completion_tokens": 1, **CALLS}),
    "model": completion(SAID, model=CALLS),
    "service tier": completion(SAID, service_tier=CALLS),
    "logprobs": completion(SAID, {"logprobs": CALLS}),
    "reasoning details": completion({**SAID, "reasoning_details": [{"type": "tool_call", "name": NAME}]}),
    "a tag in reasoning": completion({**SAID, "reasoning": f"<tool_call>{NAME}</tool_call>"}),
    "a tag in a hint": completion({**SAID, "input_hint": f"<tool_call>{NAME}</tool_call>"}),
}
DONE = [delta({}, finish_reason="stop"), "[DONE]"]
STREAMS: dict[str, list[dict[str, Any] | str]] = {
    "a message and a delta": [WHOLE["a message and a delta"], "[DONE]"],
    "finished by calls": [delta(SAID), delta({}, finish_reason="tool_calls"), "[DONE]"],
    "an event that is a call": [delta(SAID), {"name": NAME, "arguments": {}}, *DONE],
    "an event that names a tool": [delta(SAID), {"tool": NAME}, *DONE],
    "an event of another kind": [delta(SAID), {"type": "tool_call", "props": {"name": NAME}}, *DONE],
    "an event with words": [delta(SAID), {"message": "it broke"}, *DONE],
    "a call after the end": [delta(SAID), *DONE, delta(CALLS)],
    "another name without an id": [
        delta({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "lookup"}}]}),
        delta({"tool_calls": [{"index": 0, "function": {"name": NAME}}]}),
        *DONE,
    ],
}
STREAMS["names of called tools"] = [delta({**SAID, "called_tools": [NAME]}), *DONE]


@pytest.mark.parametrize("how", WHOLE)
async def test_a_call_beside_what_is_read_breaks_the_check(how: str):
    assert await outcome_of(whole(WHOLE[how])) is Outcome.BROKEN


@pytest.mark.parametrize("how", STREAMS)
async def test_a_streamed_call_beside_what_is_read_breaks_the_check(how: str):
    assert await outcome_of(await streamed(*STREAMS[how])) is Outcome.BROKEN


async def test_an_escaped_key_hides_nothing():
    told = json.dumps(completion({**SAID, "called_tools": [NAME]})).replace("called_tools", "\\u0063alled_\\u0074ools")
    assert await outcome_of(as_reply(read_whole(told.encode()))) is Outcome.BROKEN


async def test_the_words_of_a_refusal_are_words_of_the_answer():
    reply = whole(completion({"content": "Sure.", "refusal": "I must not."}))
    assert reply.text == "Sure.\nI must not."
    assert (await streamed(delta({"content": "Sure."}), delta({"refusal": "I must not."}), *DONE)).text == reply.text


@pytest.mark.parametrize("told", [completion({"content": None, "audio": {"id": "a", "transcript": "the secret"}})])
async def test_spoken_words_are_unread(told: dict[str, Any]):
    check = AssertionSpec(type="not_contains", fields={"value": "secret"})
    assert await outcome_of(whole(told), check) is Outcome.BROKEN


ORDINARY: dict[str, dict[str, Any]] = {
    "vLLM": completion(
        {
            **SAID,
            "reasoning_content": None,
            "tool_calls": [],
            "function_call": None,
            "audio": None,
            "annotations": None,
        },
        {"stop_reason": None, "token_ids": None, "logprobs": None},
        prompt_logprobs=[None, {"27": {"logprob": -1.0, "rank": 1, "decoded_token": "<tool_call>"}}],
        kv_transfer_params=None,
        usage={"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3, "prompt_tokens_details": None},
    ),
    "OpenAI": completion(
        {
            **SAID,
            "refusal": None,
            "annotations": [{"type": "url_citation", "url_citation": {"title": "How to call a tool", "url": "u"}}],
        },
        {"logprobs": {"content": [{"token": " tool", "logprob": -1, "bytes": [1], "top_logprobs": []}]}},
        id="chatcmpl-1",
        object="chat.completion",
        model="gpt",
        service_tier="default",
        usage={"prompt_tokens": 1, "completion_tokens": 2, "completion_tokens_details": {"reasoning_tokens": 3}},
    ),
    "OpenRouter": completion(
        {**SAID, "reasoning": "I call no tool.", "reasoning_details": [{"type": "reasoning.text", "text": "no tool"}]},
        {"native_finish_reason": "stop"},
        provider="Some Function Calling Provider",
        usage={"prompt_tokens": 1, "completion_tokens": 2, "cost": 0.1, "server_tool_use": {"web_search_requests": 0}},
    ),
    "Gemini's call": completion(
        {
            "content": None,
            "tool_calls": [
                {
                    "id": "a",
                    "type": "function",
                    "function": LOOKUP,
                    "extra_content": {"google": {"thought_signature": "x"}},
                }
            ],
        },
        {"finish_reason": "tool_calls"},
    ),
    "llama.cpp": completion(SAID, timings={"prompt_n": 1, "predicted_ms": 2.5}, system_fingerprint="b1"),
    "an empty delta": completion(SAID, {"delta": {}}),
    "text parts": completion({"content": [{"type": "text", "text": "the tool", "annotations": []}]}),
}


@pytest.mark.parametrize("who", ORDINARY)
async def test_an_ordinary_answer_is_read_whole(who: str):
    assert whole(ORDINARY[who]).unread == ()
    assert (await streamed(ORDINARY[who], "[DONE]")).unread == ()


@pytest.mark.parametrize(
    "event",
    [
        {"choices": [], "usage": {"prompt_tokens": 1}},
        {"type": "ping"},
        {"id": "x", "object": "chat.completion.chunk", "model": "m"},
        {"choices": [], "prompt_filter_results": [{"prompt_index": 0, "hate": {"severity": "safe"}}]},
    ],
)
async def test_events_without_words_leave_no_doubt(event: dict[str, Any]):
    assert (await streamed(event, delta(SAID), *DONE)).unread == ()
