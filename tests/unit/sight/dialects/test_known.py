"""Each model API, on requests as its clients send them: sections, what was said, results."""

from typing import Any

import msgspec
import pytest

from vivavoce.sight.dialects.dialect import Dialect, Said
from vivavoce.sight.dialects.known import dialect_of, never_calls

ARGS = {"order": "A-17"}
BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "chat": (
        "/v1/chat/completions",
        {
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be a shop."},
                {"role": "user", "content": "refund A-17"},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {
                            "id": "c1",
                            "type": "function",
                            "function": {"name": "refund", "arguments": '{"order":"A-17"}'},
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": "c1", "content": "done"},
            ],
            "tools": [{"type": "function", "function": {"name": "refund"}}],
            "temperature": 0,
        },
    ),
    "responses": (
        "/v1/responses",
        {
            "model": "m",
            "instructions": "Be a shop.",
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": "refund A-17"}]},
                {"type": "function_call", "call_id": "c1", "name": "refund", "arguments": '{"order":"A-17"}'},
                {"type": "function_call_output", "call_id": "c1", "output": "done"},
            ],
            "tools": [{"type": "function", "name": "refund"}],
            "temperature": 0,
        },
    ),
    "anthropic": (
        "/v1/messages",
        {
            "model": "m",
            "system": "Be a shop.",
            "messages": [
                {"role": "user", "content": "refund A-17"},
                {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "refund", "input": ARGS}]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "done"}]},
            ],
            "tools": [{"name": "refund"}],
            "temperature": 0,
        },
    ),
    "gemini": (
        "/v1beta/models/m:generateContent",
        {
            "systemInstruction": {"parts": [{"text": "Be a shop."}]},
            "contents": [
                {"role": "user", "parts": [{"text": "refund A-17"}]},
                {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "refund", "args": ARGS}}]},
                {
                    "role": "user",
                    "parts": [{"functionResponse": {"id": "c1", "name": "refund", "response": {"x": "done"}}}],
                },
            ],
            "tools": [{"functionDeclarations": [{"name": "refund"}]}],
            "temperature": 0,
        },
    ),
}


@pytest.fixture(params=BODIES)
def spoken(request: pytest.FixtureRequest) -> tuple[Dialect, dict[str, Any]]:
    path, body = BODIES[request.param]
    dialect = dialect_of(path)
    assert dialect is not None
    assert dialect.name == request.param
    return dialect, body


def test_a_request_is_taken_apart(spoken: tuple[Dialect, dict[str, Any]]):
    dialect, body = spoken
    sections = dialect.sections(body)
    assert "Be a shop." in str(sections.system)
    assert "Be a shop." not in str(sections.talk)
    assert "refund" in str(sections.tools)
    assert sections.params == {"temperature": 0}
    assert len(sections.talk) == 3


def test_what_was_said_reads_the_same_in_every_api(spoken: tuple[Dialect, dict[str, Any]]):
    dialect, body = spoken
    user, calling, result = map(dialect.said, dialect.sections(body).talk)
    assert user == Said(role="user", text="refund A-17")
    assert calling.calls == (("refund", ARGS),)
    assert result.results == 1


def test_results_come_with_the_id_of_their_call(spoken: tuple[Dialect, dict[str, Any]]):
    dialect, body = spoken
    (result,) = dialect.results(body)
    assert result.call_id == "c1"
    assert "done" in str(result.value)


def test_a_refusal_carries_its_words(spoken: tuple[Dialect, dict[str, Any]]):
    assert b"no recording" in msgspec.json.encode(spoken[0].refusal("no recording"))


@pytest.mark.parametrize(
    ("path", "body", "streamed"),
    [
        ("/v1/chat/completions", {"stream": True}, True),
        ("/v1/chat/completions", {}, False),
        ("/v1beta/models/m:streamGenerateContent", {}, True),
        ("/v1beta/models/m:generateContent", {}, False),
    ],
)
def test_who_asks_for_a_stream_is_known(path: str, body: dict[str, Any], streamed: bool):
    dialect = dialect_of(path)
    assert dialect is not None
    assert dialect.streams(body, path) is streamed


def test_apis_without_tools_are_known_and_others_are_not_read():
    assert never_calls("POST", "/v1/embeddings")
    assert never_calls("GET", "/v1/models/gpt-4")
    assert not never_calls("POST", "/v1/threads/runs")
    assert dialect_of("/v1/threads/runs") is None
