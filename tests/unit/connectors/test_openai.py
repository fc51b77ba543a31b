import asyncio
import gzip
import json
import re
from itertools import repeat

import pytest
from tests.fakes.openai_server import OpenAiServer, Reply, stream_of
from tests.fakes.surroundings import surroundings_at

from vivavoce.connectors.openai import OpenAiConnector, completions_url
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import Message
from vivavoce.project.redaction import MASK
from vivavoce.protocols import ModelReply, ModelRequest, ToolSpec

HELLO = ModelRequest(messages=[Message(role="user", content="hello")])


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path) as lent:
        yield lent


async def ask(server: OpenAiServer, around, request: ModelRequest = HELLO, **options) -> ModelReply:
    connector = OpenAiConnector("test", {"host": server.url, "model": "m", **options}, around)
    return await connector.complete(request)


async def failure_of(reply: Reply, around, **options) -> CallFailed:
    async with OpenAiServer(reply) as server:
        with pytest.raises(CallFailed) as caught:
            await ask(server, around, **options)
    assert caught.value.fault == "target"
    return caught.value


# ── what is sent ──


async def test_the_request_carries_model_key_parameters_and_messages(around):
    async with OpenAiServer() as server:
        await ask(server, around, key="sk-secret-1", temperature=0.2, headers={"X-Org": "acme-corp"})
    sent = server.requests[0]
    assert sent.path == "/v1/chat/completions"
    assert sent.headers["Authorization"] == "Bearer sk-secret-1"
    assert sent.headers["X-Org"] == "acme-corp"
    assert sent.body == {
        "model": "m",
        "temperature": 0.2,
        "stream": False,
        "messages": [{"role": "user", "content": "hello"}],
    }


async def test_attachments_arrive_in_the_shapes_the_api_knows(around):
    pdf = "data:application/pdf;base64,BBBB"
    known = [
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "auto"}},
        {"type": "input_audio", "input_audio": {"data": "CCCC", "format": "wav"}},
        {"type": "file", "file": {"file_id": "file_1"}},
        {"type": "file", "file": {"url": "https://x/y.pdf", "filename": "y.pdf"}},
    ]
    loaded = {"type": "file", "file": {"url": pdf, "filename": "a.pdf"}}
    async with OpenAiServer() as server:
        await ask(server, around, ModelRequest(messages=[Message(role="user", content=[*known, loaded])]))
    assert server.bodies[0]["messages"][0]["content"] == [
        *known,
        {"type": "file", "file": {"file_data": pdf, "filename": "a.pdf"}},
    ]


async def test_yaos_own_fields_stay_out_of_the_body_and_extra_body_goes_in(around):
    async with OpenAiServer() as server:
        await ask(server, around, capabilities={"vision": True}, protocols=["openai"], extra_body={"top_k": 3})
    assert server.bodies[0].keys() == {"model", "stream", "messages", "top_k"}


async def test_a_requests_own_parameters_and_headers_win(around):
    request = ModelRequest(messages=HELLO.messages, options={"temperature": 1}, headers={"X-Call": "7"})
    async with OpenAiServer() as server:
        await ask(server, around, request, temperature=0, headers={"X-Call": "none"})
    assert server.bodies[0]["temperature"] == 1
    assert server.requests[0].headers["X-Call"] == "7"


async def test_a_header_is_sent_once_however_its_name_is_written(around):
    request = ModelRequest(messages=HELLO.messages, headers={"x-call": "7"})
    async with OpenAiServer() as server:
        await ask(
            server, around, request, headers={"X-Call": "none", "content-type": "application/json; charset=utf-8"}
        )
    sent = server.requests[0].headers
    assert sent.getall("X-Call") == ["7"]
    assert sent.getall("Content-Type") == ["application/json; charset=utf-8"]


async def test_tools_and_a_history_with_calls_go_on_the_wire(around):
    call = {"id": "c0", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    request = ModelRequest(
        messages=[
            Message(role="user", content="add", name="ann", id="ours"),
            Message(role="assistant", tool_calls=[call]),
            Message(role="tool", tool_call_id="c0", content=""),
        ],
        tools=[ToolSpec(name="add", description="adds")],
    )
    async with OpenAiServer() as server:
        await ask(server, around, request)
    assert server.bodies[0]["messages"] == [
        {"role": "user", "content": "add", "name": "ann"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "", "tool_call_id": "c0"},
    ]
    assert server.bodies[0]["tools"][0]["function"]["name"] == "add"


async def test_a_body_of_several_megabytes_is_sent_whole(around):
    long = "x" * 3_000_000
    async with OpenAiServer() as server:
        await ask(server, around, ModelRequest(messages=[Message(role="user", content=long)]))
    assert server.bodies[0]["messages"][0]["content"] == long


async def test_keys_and_header_values_become_secrets(around):
    OpenAiConnector("x", {"key": "sk-secret-1", "headers": {"X-Token": "Token t0psecret"}}, around)
    assert around.secrets.mask("sk-secret-1 and t0psecret") == f"{MASK} and {MASK}"


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("https://api.openai.com", "https://api.openai.com/v1/chat/completions"),
        ("https://proxy/v1/", "https://proxy/v1/chat/completions"),
        ("https://proxy/v1", "https://proxy/v1/chat/completions"),
        ("https://proxy/v1beta", "https://proxy/v1beta/chat/completions"),
        ("https://proxy/openai", "https://proxy/openai/v1/chat/completions"),
        ("https://proxy/", "https://proxy/chat/completions"),
        ("https://proxy/x/chat/completions", "https://proxy/x/chat/completions"),
        ("https://proxy/v1?a=1", "https://proxy/v1/chat/completions?a=1"),
    ],
)
def test_the_url_follows_from_the_host(host, url):
    assert completions_url(host) == url


async def test_the_default_host_is_openais(around):
    assert OpenAiConnector("x", {}, around).url == "https://api.openai.com/v1/chat/completions"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"host": "localhost:1234"}, "no web address"),
        ({"headers": "X: y"}, "headers must be a mapping"),
        ({"azure": "true"}, "azure"),
    ],
)
async def test_bad_options_are_usage_errors(around, options, words):
    with pytest.raises(UsageError, match=words):
        OpenAiConnector("x", options, around)


# ── what comes back, whole or streamed ──


@pytest.mark.parametrize("stream", [False, True])
async def test_text_calls_usage_and_finish_reason_are_read(around, stream):
    reply = Reply(
        "two words",
        calls=[("add", {"a": 1}), ("mul", {"b": [2]})],
        usage={"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12},
    )
    async with OpenAiServer(reply) as server:
        got = await ask(server, around, stream=stream)
    assert got.text == "two words"
    assert [(call.id, call.name, call.args) for call in got.calls] == [
        ("c0", "add", {"a": 1}),
        ("c1", "mul", {"b": [2]}),
    ]
    assert got.finish_reason == "tool_calls"
    assert got.usage is not None
    assert (got.usage.input_tokens, got.usage.output_tokens) == (5, 7)


async def test_a_stream_asks_for_usage(around):
    async with OpenAiServer() as server:
        await ask(server, around, stream=True)
    assert server.bodies[0]["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize("stream", [False, True])
async def test_a_declaration_of_waiting_is_kept(around, stream):
    async with OpenAiServer(Reply("how much?", extra={"awaiting_input": True, "input_hint": "an amount"})) as server:
        got = await ask(server, around, stream=stream)
    assert got.extra == {"awaiting_input": True, "input_hint": "an amount"}


@pytest.mark.parametrize("stream", [False, True])
async def test_structured_output_is_parsed_when_it_was_asked_for(around, stream):
    async with OpenAiServer(Reply('{"n": 1}')) as server:
        got = await ask(server, around, stream=stream, response_format={"type": "json_object"})
        plain = await ask(server, around, stream=stream)
    assert got.data == {"n": 1}
    assert not plain.data


async def test_arguments_that_are_no_object_stay_text(around):
    call = {"id": "c", "function": {"name": "add", "arguments": "{broken"}}
    async with OpenAiServer(Reply(body={"choices": [{"message": {"tool_calls": [call]}}]})) as server:
        got = await ask(server, around)
    assert got.calls[0].args == "{broken"


async def test_calls_without_ids_get_different_ones(around):
    calls = [{"function": {"name": "add", "arguments": {"a": 1}}}, {"function": {"name": "add"}}]
    async with OpenAiServer(Reply(body={"choices": [{"message": {"tool_calls": calls}}]})) as server:
        got = await ask(server, around)
    assert [call.args for call in got.calls] == [{"a": 1}, {}]
    assert len({call.id for call in got.calls}) == 2


async def test_content_parts_refusals_and_reasoning_are_read(around):
    parts = {"content": [{"type": "text", "text": "one"}], "reasoning_content": "hmm"}
    async with OpenAiServer(
        Reply(body={"choices": [{"message": parts}]}), Reply(body={"choices": [{"message": {"refusal": "no"}}]})
    ) as server:
        assert (await ask(server, around)).extra == {"reasoning": "hmm"}
        assert (await ask(server, around)).text == "no"


@pytest.mark.parametrize("size", [1, 7, 10_000])
async def test_a_stream_may_be_cut_anywhere_and_speak_crlf_with_comments(around, size):
    whole = b": keep-alive\r\n\r\n" + b"".join(stream_of(Reply("grüße 你好"))).replace(b"\n", b"\r\n")
    pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
    async with OpenAiServer(Reply(raw=pieces, content_type="text/event-stream")) as server:
        assert (await ask(server, around, stream=True)).text == "grüße 你好"


async def test_a_stream_without_done_is_fine_when_it_was_finished(around):
    chunks = stream_of(Reply("all of it"))[:-1]
    async with OpenAiServer(Reply(raw=chunks, content_type="text/event-stream")) as server:
        assert (await ask(server, around, stream=True)).text == "all of it"


async def test_an_answer_in_one_piece_to_a_wish_for_a_stream_is_read(around):
    async with OpenAiServer(Reply(body={"choices": [{"message": {"content": "whole"}}]})) as server:
        assert (await ask(server, around, stream=True)).text == "whole"


async def test_a_stream_that_nobody_asked_for_is_read(around):
    async with OpenAiServer(Reply(raw=stream_of(Reply("pieces")), content_type="text/event-stream")) as server:
        assert (await ask(server, around)).text == "pieces"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.memory
async def test_a_reply_of_fifty_megabytes_works(around, stream):
    big = "0123456789" * 5_000_000
    async with OpenAiServer(Reply(big)) as server:
        got = await ask(server, around, stream=stream)
    assert len(got.text) == 50_000_000


# ── what goes wrong ──


async def test_a_wrong_key_says_so_and_never_shows_it(around):
    error = await failure_of(
        Reply(status=401, body={"error": {"message": "bad key sk-secret-1"}}), around, key="sk-secret-1"
    )
    assert re.search(
        r"HTTP 401: bad key \*\*\* \(check the key of 'test': `key:` at the agent or connector\)", str(error)
    )
    assert not error.retryable


@pytest.mark.parametrize(("status", "retryable"), [(400, False), (404, False), (429, True), (500, False), (503, True)])
async def test_only_a_busy_server_may_be_asked_again(around, status, retryable):
    error = await failure_of(Reply(status=status, body={"detail": "some words"}), around)
    assert f"HTTP {status}: some words" in str(error)
    assert error.retryable is retryable


async def test_a_redirect_is_not_followed(around):
    error = await failure_of(Reply(status=301, body="", headers={"Location": "https://new/v1"}), around)
    assert "it has moved to https://new/v1" in str(error)


async def test_a_refused_connection_may_be_tried_again(around):
    async with OpenAiServer() as server:
        url = server.url
    with pytest.raises(CallFailed, match="cannot connect") as caught:
        await OpenAiConnector("x", {"host": url}, around).complete(HELLO)
    assert (caught.value.fault, caught.value.retryable) == ("target", True)


GZIPPED_SPACES = gzip.compress(b" " * 2**24, 1)


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
@pytest.mark.memory
async def test_an_answer_that_grows_without_end_when_unpacked_is_cut_off(around, kind):
    bomb = Reply(raw=[GZIPPED_SPACES] * 40, content_type=kind, headers={"Content-Encoding": "gzip"})
    error = await failure_of(bomb, around)
    assert "the answer has more than 64 MB" in str(error)
    assert error.fault == "target"


async def test_of_an_error_page_only_the_beginning_is_read(around):
    endless = Reply(status=500, raw=repeat(GZIPPED_SPACES), headers={"Content-Encoding": "gzip"})
    async with asyncio.timeout(60):
        error = await failure_of(endless, around)
    assert "HTTP 500" in str(error)


@pytest.mark.parametrize("status", [200, 204])
async def test_an_empty_answer_is_called_empty(around, status):
    error = await failure_of(Reply(status=status, raw=[]), around)
    assert f"answered HTTP {status} with an empty body" in str(error)


async def test_a_web_page_is_not_an_answer(around):
    error = await failure_of(Reply(raw=[b"<html><body>Log in</body></html>"], content_type="text/html"), around)
    assert "answered with a web page" in str(error)
    assert "Log in" in str(error)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"error": {"message": "overloaded"}, "choices": [{}]}, "the endpoint reports an error: overloaded"),
        ({"choices": []}, "no choices"),
        ({"choices": "none"}, "no chat completion"),
        ([], "no chat completion"),
    ],
)
async def test_a_reply_that_makes_no_sense_is_told(around, body, words):
    assert words in str(await failure_of(Reply(body=body), around))


@pytest.mark.parametrize(
    ("chunks", "words"),
    [
        ([b'data: {"error": {"message": "out of memory"}}\n\n'], "out of memory"),
        ([b"data: {broken\n\n"], "no chat completion"),
        (stream_of(Reply("half of it"))[:2], "ended without a finish reason, after 5 characters"),
        ([], "ended without a finish reason"),
    ],
)
async def test_a_broken_stream_is_never_half_an_answer(around, chunks, words):
    error = await failure_of(Reply(raw=chunks, content_type="text/event-stream"), around, stream=True)
    assert words in str(error)


async def test_a_connection_that_breaks_in_the_middle_is_told(around):
    error = await failure_of(Reply(raw=[b'{"choices": ['], hang_up=True), around)
    assert "broke" in str(error)


async def test_requests_stay_json_for_every_character(around):
    text = 'quote " backslash \\ null \x00 emoji 🙂'
    async with OpenAiServer() as server:
        await ask(server, around, ModelRequest(messages=[Message(role="user", content=text)]))
    assert server.bodies[0]["messages"][0]["content"] == text
    assert json.dumps(server.bodies[0])


# ── calls and figures that cannot be ──


def said(message: dict, **more) -> Reply:
    return Reply(body={"choices": [{"message": message, "finish_reason": "stop"}], **more})


@pytest.mark.parametrize(
    "call",
    [
        {"id": "c7", "type": "function", "function": {"arguments": "{}"}},
        {"id": "c7", "function": {"name": ""}},
        {"id": "c7", "type": "custom", "custom": {"name": "delete_all", "input": "x"}},
    ],
)
async def test_a_tool_call_without_a_name_is_an_error(around, call):
    failure = await failure_of(said({"content": "Done.", "tool_calls": [call]}), around)
    assert str(failure).endswith("a tool call without a function.name (c7)")


async def test_a_streamed_tool_call_without_a_name_is_an_error(around):
    delta = {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}
    lines = [{"choices": [{"delta": delta}]}, {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}]
    raw = [f"data: {json.dumps(line)}\n\n".encode() for line in lines]
    failure = await failure_of(Reply(raw=raw, content_type="text/event-stream"), around, stream=True)
    assert str(failure).endswith("a tool call without a function.name")


async def test_a_call_told_the_old_way_is_seen(around):
    called = {"name": "delete_all", "arguments": '{"sure": true}'}
    async with OpenAiServer(said({"content": "Done.", "function_call": called})) as server:
        got = await ask(server, around)
    assert [(call.name, call.args) for call in got.calls] == [("delete_all", {"sure": True})]


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        ({"prompt_tokens": -5, "completion_tokens": 1}, "$.usage.prompt_tokens"),
        ({"prompt_tokens": 5, "completion_tokens": -1}, "$.usage.completion_tokens"),
        ({"prompt_tokens": "900000"}, "$.usage.prompt_tokens"),
        ({"prompt_tokens": 5, "cost": -0.1}, "usage.cost is -0.1, wanted a number, 0 or more"),
    ],
)
async def test_usage_that_cannot_be_is_an_error(around, usage, words):
    assert words in str(await failure_of(said({"content": "hi"}, usage=usage), around))


async def test_usage_in_figures_nobody_knows_is_none(around):
    async with OpenAiServer(said({"content": "hi"}, usage={"totalTokens": 900000})) as server:
        assert (await ask(server, around)).usage is None
