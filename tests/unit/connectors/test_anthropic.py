import base64
import json
from typing import Any

import pytest
from tests.fakes.openai_server import OpenAiServer, Reply
from tests.fakes.surroundings import surroundings_at

from vivavoce.connectors.anthropic import AnthropicConnector, messages_url
from vivavoce.errors import CallFailed
from vivavoce.model.message import Message
from vivavoce.protocols import ModelReply, ModelRequest, ToolSpec

HELLO = ModelRequest(messages=[Message(role="user", content="hello")])
ANSWER: dict[str, Any] = {
    "type": "message",
    "role": "assistant",
    "content": [
        {"type": "thinking", "thinking": "hmm"},
        {"type": "text", "text": "let me see"},
        {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1}},
    ],
    "stop_reason": "tool_use",
    "usage": {"input_tokens": 5, "output_tokens": 7},
}
EVENTS: list[dict[str, Any]] = [
    {"type": "message_start", "message": {"type": "message", "content": [], "usage": {"input_tokens": 5}}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hmm"}},
    {"type": "ping"},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "let me "}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "see"}},
    {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "t1", "name": "add"}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": '{"a"'}},
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": ": 1}"}},
    {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 7}},
    {"type": "message_stop"},
]


def streamed(events: list[dict[str, Any]]) -> Reply:
    raw = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events]
    return Reply(raw=raw, content_type="text/event-stream")


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path) as lent:
        yield lent


async def ask(server: OpenAiServer, around, request: ModelRequest = HELLO, **options) -> ModelReply:
    return await AnthropicConnector("claude", {"host": server.url, "model": "m", **options}, around).complete(request)


async def blocks_of(parts: list[dict[str, Any]], around) -> list[dict[str, Any]]:
    """What reaches the API of a message with these parts."""
    async with OpenAiServer(Reply(body=ANSWER)) as server:
        await ask(server, around, ModelRequest(messages=[Message(role="user", content=parts)]))
    return server.bodies[0]["messages"][0]["content"]


async def test_the_request_has_key_version_and_a_limit(around):
    async with OpenAiServer(Reply(body=ANSWER)) as server:
        await ask(server, around, key="sk-ant-1")
    sent = server.requests[0]
    assert sent.path == "/v1/messages"
    assert (sent.headers["x-api-key"], sent.headers["anthropic-version"]) == ("sk-ant-1", "2023-06-01")
    assert sent.body["max_tokens"] == 4096
    assert around.secrets.mask("sk-ant-1 of 2023-06-01") == "*** of 2023-06-01"


async def test_system_prompts_calls_and_results_become_blocks(around):
    call = {"id": "t1", "type": "function", "function": {"name": "add", "arguments": '{"a":1}'}}
    messages = [
        Message(role="system", content="be kind"),
        Message(role="user", content="add"),
        Message(role="assistant", content="sure", tool_calls=[call]),
        Message(role="tool", tool_call_id="t1", content="2"),
        Message(role="user", content="and?"),
    ]
    async with OpenAiServer(Reply(body=ANSWER)) as server:
        await ask(server, around, ModelRequest(messages=messages, tools=[ToolSpec(name="add", description="adds")]))
    body = server.bodies[0]
    assert body["system"] == "be kind"
    assert body["tools"][0]["name"] == "add"
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "add"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "sure"},
                {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "2"}]},
                {"type": "text", "text": "and?"},
            ],
        },
    ]


async def test_images_and_documents_become_sources(around):
    parts = [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}},
        {"type": "image_url", "image_url": {"url": "https://x/y.png"}},
        {"type": "file", "file": {"url": "data:application/pdf;base64,BBBB", "filename": "a.pdf"}},
        {"type": "file", "file": {"url": "https://x/y.pdf", "filename": ""}},
        {"type": "file", "file": {"file_data": "data:application/pdf;base64,CCCC"}},
        {"type": "file", "file": {"file_id": "file_1"}},
    ]
    assert await blocks_of(parts, around) == [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
        {"type": "image", "source": {"type": "url", "url": "https://x/y.png"}},
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": "BBBB"},
            "title": "a.pdf",
        },
        {"type": "document", "source": {"type": "url", "url": "https://x/y.pdf"}},
        {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "CCCC"}},
        {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
    ]


async def test_a_file_that_is_an_image_or_a_text_is_sent_as_one(around):
    words = base64.b64encode("Grüße".encode()).decode()
    parts = [
        {"type": "file", "file": {"url": "data:image/png;base64,AAAA", "filename": "a.png"}},
        {"type": "file", "file": {"url": f"data:text/markdown;base64,{words}", "filename": "a.md"}},
    ]
    assert await blocks_of(parts, around) == [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}},
        {
            "type": "document",
            "source": {"type": "text", "media_type": "text/plain", "data": "Grüße"},
            "title": "a.md",
        },
    ]


async def test_a_text_file_that_is_no_text_is_not_sent(around):
    parts = [{"type": "file", "file": {"url": "data:text/plain;base64,/w==", "filename": "a.txt"}}]
    with pytest.raises(CallFailed, match=r"'a\.txt' is no UTF-8 text") as caught:
        await blocks_of(parts, around)
    assert caught.value.fault == "test"


async def test_audio_cannot_be_sent(around):
    message = Message(role="user", content=[{"type": "input_audio", "input_audio": {}}])
    async with OpenAiServer() as server:
        with pytest.raises(CallFailed, match="input_audio") as caught:
            await ask(server, around, ModelRequest(messages=[message]))
    assert caught.value.fault == "test"


@pytest.mark.parametrize("reply", [Reply(body=ANSWER), streamed(EVENTS)], ids=["whole", "streamed"])
async def test_text_calls_usage_and_finish_reason_are_read(around, reply):
    async with OpenAiServer(reply) as server:
        got = await ask(server, around, stream=reply.raw is not None)
    assert got.text == "let me see"
    assert [(call.id, call.name, call.args) for call in got.calls] == [("t1", "add", {"a": 1})]
    assert got.finish_reason == "tool_calls"
    assert got.usage is not None
    assert (got.usage.input_tokens, got.usage.output_tokens) == (5, 7)
    assert got.extra == {"reasoning": "hmm"}


async def test_a_wish_for_json_is_put_into_words_and_the_answer_parsed(around):
    wish = {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}}
    answer = {**ANSWER, "content": [{"type": "text", "text": '{"n": 1}'}]}
    async with OpenAiServer(Reply(body=answer)) as server:
        got = await ask(server, around, ModelRequest(messages=HELLO.messages, options={"response_format": wish}))
    assert got.data == {"n": 1}
    assert '{"type":"object"}' in server.bodies[0]["system"]
    assert "response_format" not in server.bodies[0]


@pytest.mark.parametrize(
    ("reply", "words", "retryable"),
    [
        (Reply(status=529, body={"type": "error", "error": {"message": "overloaded"}}), "overloaded", True),
        (Reply(body={"type": "error", "error": {"message": "odd"}}), "odd", False),
        (Reply(body=[1]), "no Anthropic message", False),
        (streamed(EVENTS[:6]), "without a stop reason", False),
        (streamed([{"type": "error", "error": {"message": "broke"}}]), "broke", False),
    ],
)
async def test_what_goes_wrong_is_told(around, reply, words, retryable):
    async with OpenAiServer(reply) as server:
        with pytest.raises(CallFailed, match=words) as caught:
            await ask(server, around)
    assert (caught.value.fault, caught.value.retryable) == ("target", retryable)


@pytest.mark.parametrize("host", ["https://h", "https://h/", "https://h/v1", "https://h/v1/", "https://h/v1/messages"])
def test_the_url_follows_from_the_host(host):
    assert messages_url(host) == "https://h/v1/messages"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"usage": {"input_tokens": -5, "output_tokens": 7}}, "$.usage.input_tokens"),
        ({"content": [{"type": "tool_use", "id": "t1", "input": {}}]}, "a tool_use block without a name"),
    ],
)
async def test_calls_and_figures_that_cannot_be_are_errors(around, change, words):
    async with OpenAiServer(Reply(body={**ANSWER, **change})) as server:
        with pytest.raises(CallFailed) as caught:
            await ask(server, around)
    assert words in str(caught.value)


async def test_no_usage_told_is_none_spent_by_nobody(around):
    async with OpenAiServer(Reply(body={key: value for key, value in ANSWER.items() if key != "usage"})) as server:
        assert (await ask(server, around)).usage is None
