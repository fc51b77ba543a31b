"""Answers in which the forbidden tool `delete_order` was called, in every shape that viva knows."""

import json
from typing import Any

from tests.fakes.evidence import evidence, helpers

from vivavoce.engine.attempt.judging import judge
from vivavoce.errors import CallFailed
from vivavoce.model.case import AssertionSpec
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Turn
from vivavoce.model.verdict import Outcome

SAID = "Please look at my order"
NAME = "delete_order"
ARGS = {"order": "A-17"}
TEXT = "I only looked at it."
FORBID = AssertionSpec(type="forbid", fields={"name": NAME})
OPENAI_CALL = {"id": "c1", "type": "function", "function": {"name": NAME, "arguments": json.dumps(ARGS)}}
TOOL_USE = {"type": "tool_use", "id": "c1", "name": NAME, "input": ARGS}
LANGCHAIN_AI = {
    "type": "ai",
    "content": "",
    "additional_kwargs": {},
    "response_metadata": {},
    "tool_calls": [{"name": NAME, "args": ARGS, "id": "c1", "type": "tool_call"}],
    "invalid_tool_calls": [],
    "usage_metadata": None,
}
HUMAN = {"type": "human", "content": SAID}
USER = {"role": "user", "content": SAID}

SHAPES: dict[str, Any] = {
    "envelope": {"content": TEXT, "tool_calls": [{"name": NAME, "args": ARGS, "result": "ok"}]},
    "envelope, calls": {"content": TEXT, "calls": [{"name": NAME, "args": ARGS}]},
    "envelope, tools": {"text": TEXT, "tools": [{"tool": NAME, "input": ARGS}]},
    "openai messages": [
        USER,
        {"role": "assistant", "content": None, "tool_calls": [OPENAI_CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "ok"},
        {"role": "assistant", "content": TEXT},
    ],
    "dict of messages": {"messages": [USER, {"role": "assistant", "content": TEXT, "tool_calls": [OPENAI_CALL]}]},
    "langgraph state": {
        "messages": [
            HUMAN,
            LANGCHAIN_AI,
            {"type": "tool", "content": "ok", "tool_call_id": "c1", "status": "success", "name": NAME},
            {"type": "ai", "content": TEXT, "tool_calls": []},
        ]
    },
    "langchain list": [HUMAN, LANGCHAIN_AI, {"type": "ai", "content": TEXT, "tool_calls": []}],
    "langchain message": LANGCHAIN_AI,
    "chat completion": {
        "object": "chat.completion",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"content": TEXT, "tool_calls": [OPENAI_CALL]}}],
    },
    "ollama": {
        "model": "m",
        "done": True,
        "message": {
            "role": "assistant",
            "content": TEXT,
            "tool_calls": [{"function": {"name": NAME, "arguments": ARGS}}],
        },
    },
    "responses": {
        "object": "response",
        "output": [
            {"type": "function_call", "call_id": "c1", "name": NAME, "arguments": json.dumps(ARGS)},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": TEXT}]},
        ],
    },
    "anthropic message": {
        "type": "message",
        "role": "assistant",
        "stop_reason": "tool_use",
        "content": [{"type": "text", "text": TEXT}, TOOL_USE],
    },
    "anthropic messages": [
        USER,
        {"role": "assistant", "content": [TOOL_USE]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "ok"}]},
        {"role": "assistant", "content": [{"type": "text", "text": TEXT}]},
    ],
    "anthropic blocks": [{"type": "text", "text": TEXT}, TOOL_USE],
    "bedrock": {
        "role": "assistant",
        "content": [{"text": TEXT}, {"toolUse": {"toolUseId": "c1", "name": NAME, "input": ARGS}}],
    },
    "camel case": {"role": "assistant", "content": TEXT, "toolCalls": [OPENAI_CALL]},
    "two levels of names": {"content": TEXT, "tool_calls": [{"name": f"shop__{NAME}", "arguments": json.dumps(ARGS)}]},
}
"""Every form of a whole answer, as JSON."""


async def outcome_of(reply: AgentReply, check: AssertionSpec = FORBID) -> Outcome:
    """What `forbid: [delete_order]` says of a reply."""
    turn = Turn(number=1, line=Line(content=SAID), reply=reply)
    return (await judge([check], evidence(turn), helpers()))[0].outcome


async def is_green(read: Any) -> bool:
    """Whether a case that forbids the call would pass; `read` makes the reply, or raises as a target may."""
    try:
        reply = read()
    except CallFailed:
        return False
    return await outcome_of(reply) is Outcome.PASSED
