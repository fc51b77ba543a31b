"""One URL of a provider: how an answer is read, and what is said when it is none."""

from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from tests.fakes.surroundings import surroundings_at
from tests.fakes.web_server import Seen, WebServer, in_pieces

from vivavoce.connectors.endpoint import Endpoint, plain_headers
from vivavoce.errors import CallFailed, UsageError
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import ModelReply


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path) as lent:
        yield lent


def whole(content: bytes) -> ModelReply:
    return ModelReply(text=f"whole: {content.decode()}")


async def stream(events: AsyncIterator[bytes]) -> ModelReply:
    return ModelReply(text=f"stream: {[event.decode() async for event in events]}")


async def asked(around, answer, *, streamed: bool = False, headers: dict[str, str] | None = None) -> str:
    async with WebServer(answer) as server:
        endpoint = Endpoint("gpt", server.url, {"X-Every": "1"}, around)
        reply = await endpoint.ask(b"{}", headers or {}, streamed=streamed, whole=whole, stream=stream)
    return reply.text


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://host"])
async def test_what_is_no_web_address_is_refused_at_once(around, url: str):
    with pytest.raises(UsageError, match=r"connector 'gpt': .* is no web address"):
        Endpoint("gpt", url, {}, around)


async def test_a_header_that_cannot_be_sent_is_refused_at_once(around):
    with pytest.raises(UsageError, match="connector 'gpt'"):
        Endpoint("gpt", "http://host", {"X-Key": "a\nb"}, around)


async def test_headers_of_one_call_replace_those_of_all_calls(around):
    seen: list[Seen] = []

    def answer(request: Seen) -> str:
        seen.append(request)
        return "hi"

    await asked(around, answer, headers={"x-every": "2", "X-Own": "3"})
    assert seen[0].headers.getall("X-Every") == ["2"]
    assert (seen[0].headers["X-Own"], seen[0].headers["Content-Type"]) == ("3", "application/json")


@pytest.mark.parametrize(
    ("kind", "streamed", "read"),
    [
        ("text/event-stream", False, "stream: ['1']"),
        ("text/event-stream; charset=utf-8", True, "stream: ['1']"),
        ("text/plain", True, "stream: ['1']"),
        ("text/plain", False, "whole: data: 1\n\n"),
        ("application/json", True, "whole: data: 1\n\n"),
    ],
)
async def test_an_answer_is_read_in_the_form_it_comes_in(around, kind: str, streamed: bool, read: str):
    text = await asked(around, lambda seen: in_pieces(seen, "data: 1\n\n", content_type=kind), streamed=streamed)
    assert text == read


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (web.Response(text=""), "with an empty body"),
        (web.Response(text="<title>Log in</title>", content_type="text/html"), "Log in"),
        (web.Response(status=404, text="nothing here"), "check the host and the model"),
        (web.Response(status=429, text="slow down"), "lower --parallel"),
    ],
)
async def test_an_answer_that_is_none_says_why(around, answer: web.Response, why: str):
    with pytest.raises(CallFailed) as caught:
        await asked(around, lambda _: answer)
    assert why in f"{caught.value.what} {caught.value.hint}"


async def test_a_refusal_names_the_key_and_does_not_show_it(around):
    around.secrets.add("sk-very-secret-1")
    with pytest.raises(CallFailed) as caught:
        await asked(around, lambda _: web.Response(status=401, text="wrong key: sk-very-secret-1"))
    assert "check the key of 'gpt'" in str(caught.value.hint)
    assert "sk-very" not in str(caught.value)


def test_the_headers_option_is_a_mapping_whose_values_are_secrets():
    secrets = Secrets()
    assert plain_headers(None, "gpt", secrets) == {}
    assert plain_headers({"X-Key": "abcdefgh12345"}, "gpt", secrets) == {"X-Key": "abcdefgh12345"}
    assert "abcdefgh" not in secrets.mask("it is abcdefgh12345")
    with pytest.raises(UsageError, match="headers must be a mapping"):
        plain_headers(["X-Key"], "gpt", secrets)
