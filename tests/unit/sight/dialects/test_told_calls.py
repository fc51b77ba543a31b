"""The calls that a request tells of, in each API."""

from typing import Any

import pytest

from vivavoce.sight.dialects.anthropic import ANTHROPIC
from vivavoce.sight.dialects.chat import CHAT
from vivavoce.sight.dialects.dialect import Dialect
from vivavoce.sight.dialects.gemini import GEMINI
from vivavoce.sight.dialects.responses import RESPONSES
from vivavoce.sight.dialects.told_calls import told_calls

USER = {"role": "user", "content": "hi"}
USED = {"type": "tool_use", "id": "c1", "name": "refund", "input": {"n": 1}}
FUNCTION = {"name": "refund", "arguments": '{"n": 1}'}
TOLD: list[tuple[Dialect, dict[str, Any]]] = [
    (CHAT, {"messages": [USER, {"role": "assistant", "tool_calls": [{"id": "c1", "function": FUNCTION}]}]}),
    (RESPONSES, {"input": [USER, {"type": "function_call", "call_id": "c1", **FUNCTION}]}),
    (
        ANTHROPIC,
        {
            "messages": [
                USER,
                {"role": "assistant", "content": [USED]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "ok"}]},
            ]
        },
    ),
    (
        GEMINI,
        {
            "contents": [
                {"role": "user", "parts": [{"text": "hi"}]},
                {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "refund", "args": {"n": 1}}}]},
                {"role": "user", "parts": [{"functionResponse": {"name": "refund", "response": {}}}]},
            ]
        },
    ),
]


@pytest.mark.parametrize(("dialect", "body"), TOLD, ids=lambda one: getattr(one, "name", ""))
def test_calls_since_the_users_last_words_are_told(dialect: Dialect, body: dict[str, Any]):
    (call,) = told_calls(dialect, body)
    assert (call.id, call.name, call.args) == ("c1", "refund", {"n": 1})


@pytest.mark.parametrize(("dialect", "body"), TOLD, ids=lambda one: getattr(one, "name", ""))
def test_calls_before_them_are_not(dialect: Dialect, body: dict[str, Any]):
    (key,) = body
    assert told_calls(dialect, {key: [*body[key], body[key][0]]}) == []
    assert told_calls(dialect, {}) == []
