"""OpenAI's Responses API, against a real server on loopback."""

import json

import pytest
from tests.fakes.openai_server import OpenAiServer, Reply
from tests.fakes.surroundings import surroundings_at

from vivavoce.connectors.responses import ResponsesConnector
from vivavoce.errors import CallFailed
from vivavoce.model.message import Message, ToolCall, calls_with_results
from vivavoce.protocols import ModelReply, ModelRequest, ToolSpec

HELLO = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello"}]}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "pay", "arguments": '{"eur": 3}'}
THOUGHT = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Let me see."}]}
USAGE = {"input_tokens": 3, "output_tokens": 5, "total_tokens": 8}


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path) as lent:
        yield lent


def response(*items, **fields):
    return {"id": "r1", "object": "response", "status": "completed", "output": list(items), **fields}


def events(*told):
    return [f"event: x\ndata: {json.dumps(event)}\n\n".encode() for event in told]


async def ask(around, reply: Reply, request: ModelRequest | None = None, **options) -> tuple[ModelReply, OpenAiServer]:
    async with OpenAiServer(reply) as server:
        connector = ResponsesConnector("r", {"host": server.url, "model": "m", **options}, around)
        return await connector.complete(request or ModelRequest(messages=[Message(role="user", content="hi")])), server


async def test_an_answer_in_one_piece(around):
    reply, server = await ask(around, Reply(body=response(THOUGHT, HELLO, usage=USAGE)), key="sk-123456")
    assert (reply.text, reply.finish_reason, reply.extra) == ("Hello", "stop", {"reasoning": "Let me see."})
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.unread) == (3, 5, ())
    (sent,) = server.requests
    assert (sent.path, sent.headers["Authorization"]) == ("/v1/responses", "Bearer sk-123456")
    # Nothing is sent that nobody wrote.
    assert sent.body == {"model": "m", "input": [{"role": "user", "content": "hi"}]}


async def test_calls_results_images_and_tools_are_sent_as_items(around):
    call = ToolCall(id="call_1", name="pay", args={"eur": 3}, result={"ok": True})
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
    file = {"type": "file", "file": {"url": "data:application/pdf;base64,BB", "filename": "a.pdf"}}
    messages = [
        Message(role="system", content="Be kind."),
        Message(role="user", content=[{"type": "text", "text": "see"}, picture, file]),
        *calls_with_results([call], "One moment."),
    ]
    tool = ToolSpec(name="pay", description="Pays.", parameters={"type": "object"})
    _, server = await ask(around, Reply(body=response(HELLO)), ModelRequest(messages=messages, tools=[tool]))
    assert server.bodies[0]["input"] == [
        {"role": "system", "content": "Be kind."},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "see"},
                {"type": "input_image", "image_url": "data:image/png;base64,AA"},
                {"type": "input_file", "file_data": "data:application/pdf;base64,BB", "filename": "a.pdf"},
            ],
        },
        {"role": "assistant", "content": "One moment."},
        {"type": "function_call", "call_id": "call_1", "name": "pay", "arguments": '{"eur":3}'},
        {"type": "function_call_output", "call_id": "call_1", "output": '{"ok":true}'},
    ]
    wanted = {"type": "function", "name": "pay", "description": "Pays.", "parameters": {"type": "object"}}
    assert server.bodies[0]["tools"] == [{**wanted, "strict": False}]


async def test_calls_are_read_and_those_the_provider_made_have_a_result(around):
    search = {"type": "web_search_call", "id": "ws", "status": "completed", "action": {"query": "x"}}
    mcp = {"type": "mcp_call", "id": "m1", "name": "find", "arguments": "{}", "output": "found"}
    broken = {"type": "mcp_call", "id": "m2", "name": "find", "arguments": "{}", "error": "no"}
    reply, _ = await ask(around, Reply(body=response(CALL, search, mcp, broken)))
    wanted, *hosted = reply.calls
    assert (wanted.id, wanted.name, wanted.args, wanted.is_answered) == ("call_1", "pay", {"eur": 3}, False)
    assert [(call.name, call.result if call.error is None else call.error) for call in hosted] == [
        ("web_search", "completed"),
        ("find", "found"),
        ("find", "no"),
    ]
    assert reply.finish_reason == "tool_calls"


async def test_a_refusal_is_what_was_said_and_a_cut_is_told(around):
    refusal = {"type": "message", "content": [{"type": "refusal", "refusal": "I cannot."}]}
    cut = {"incomplete_details": {"reason": "max_output_tokens"}, "status": "incomplete"}
    reply, _ = await ask(around, Reply(body=response(refusal, **cut)))
    assert (reply.text, reply.finish_reason) == ("I cannot.", "length")


async def test_items_nobody_knows_are_unread(around):
    reply, _ = await ask(around, Reply(body=response(HELLO, {"type": "new_thing", "x": 1})))
    assert [piece.where for piece in reply.unread] == ["$.output[1]"]


async def test_structured_output_is_data(around):
    said = {"type": "message", "content": [{"type": "output_text", "text": '{"a": 1}'}]}
    reply, _ = await ask(around, Reply(body=response(said)), text={"format": {"type": "json_object"}})
    assert reply.data == {"a": 1}


async def test_a_stream_is_read_from_its_last_event(around):
    told = events(
        {"type": "response.created", "response": response()},
        {"type": "response.output_text.delta", "delta": "Hel"},
        {"type": "response.output_text.delta", "delta": "lo"},
        {"type": "response.output_item.done", "item": HELLO},
        {"type": "response.completed", "response": response(HELLO, CALL, usage=USAGE)},
    )
    reply, server = await ask(around, Reply(raw=told, content_type="text/event-stream"), stream=True)
    assert (reply.text, len(reply.calls), server.bodies[0]["stream"]) == ("Hello", 1, True)


async def test_a_last_event_without_output_is_completed_from_the_items(around):
    told = events(
        {"type": "response.output_item.done", "item": HELLO}, {"type": "response.completed", "response": response()}
    )
    reply, _ = await ask(around, Reply(raw=told, content_type="text/event-stream"))
    assert reply.text == "Hello"


@pytest.mark.parametrize(
    ("told", "what"),
    [
        ([{"type": "response.output_text.delta", "delta": "Hel"}], "ended without a last event, after 3 characters"),
        ([{"type": "error", "message": "overloaded"}], "reports an error: overloaded"),
        ([{"type": "response.failed", "response": response(error={"message": "boom"}, status="failed")}], "boom"),
        (
            [
                {"type": "response.output_text.delta", "delta": "Hel"},
                {"type": "response.completed", "response": response()},
            ],
            "does not hold the 3 characters",
        ),
    ],
)
async def test_a_stream_that_breaks_off_is_an_error(told, what, around):
    with pytest.raises(CallFailed, match=what):
        await ask(around, Reply(raw=events(*told), content_type="text/event-stream"))


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ({"choices": []}, "has no output"),
        ([], "is no object"),
        (response({"type": "function_call", "arguments": "{}"}), "a call without a name"),
        (response(HELLO, usage={"input_tokens": -1}), "wanted counts"),
        (response(error={"message": "no credit"}), "reports an error: no credit"),
    ],
)
async def test_what_is_no_response_is_an_error(body, what, around):
    with pytest.raises(CallFailed, match=what) as failed:
        await ask(around, Reply(body=body))
    assert failed.value.fault == "target"


async def test_content_the_api_does_not_take_is_the_tests_fault(around):
    request = ModelRequest(messages=[Message(role="user", content=[{"type": "input_audio", "input_audio": {}}])])
    with pytest.raises(CallFailed, match="takes no content of type 'input_audio'") as failed:
        await ask(around, Reply(body=response(HELLO)), request)
    assert failed.value.fault == "test"
