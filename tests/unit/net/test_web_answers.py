"""Answers over HTTP, read from a real server on loopback."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from vivavoce.errors import CallFailed, TurnedAway
from vivavoce.net import web_answers
from vivavoce.net.http_client import HttpClient
from vivavoce.net.http_connection import HttpResponse
from vivavoce.net.http_failures import AnswerBroken, ConnectTimedOut
from vivavoce.net.web_answers import asked_wait


async def answer(request: web.Request) -> web.StreamResponse:
    match request.path:
        case "/busy":
            return web.json_response({"error": {"message": "too many"}}, status=429, headers={"Retry-After": "3"})
        case "/moved":
            return web.Response(status=302, headers={"Location": "/other"})
        case "/events":
            return web.Response(text="data: one\n\n: a comment\ndata: two\ndata: lines\n\ndata: cut off")
        case _:
            return web.Response(text="x" * 5000)


Get = Callable[[str], Awaitable[HttpResponse]]


@pytest.fixture
async def get() -> AsyncIterator[Get]:
    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    client = HttpClient()
    async with TestServer(app) as running:
        yield lambda path: client.request("GET", running.make_url(path))
        await client.close()


async def test_a_busy_server_says_how_long_to_wait(get: Get):
    with await get("/busy") as response:
        reason = web_answers.error_text(await web_answers.beginning(response))
        problem = web_answers.refused("http://x", response, reason, None)
    assert isinstance(problem, TurnedAway)
    assert (problem.retry_after_s, problem.what) == (3.0, "http://x answered HTTP 429: too many")


async def test_a_redirect_is_not_followed_but_told(get: Get):
    with await get("/moved") as response:
        problem = web_answers.refused("http://x", response, "", "another hint")
    assert problem.hint == "it has moved to /other; nothing was sent there"


async def test_events_are_split_and_the_last_one_needs_no_blank_line(get: Get):
    with await get("/events") as response:
        chunks = web_answers.bounded(response)
        assert [data async for data in web_answers.events(chunks)] == [b"one", b"two\nlines", b"cut off"]


async def test_an_answer_beyond_the_bound_is_an_error(get: Get, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(web_answers, "LARGEST_ANSWER", 4999)
    with await get("/long") as response, pytest.raises(CallFailed, match="more than"):
        await web_answers.whole(response)


@pytest.mark.parametrize(
    ("error", "what", "fault"),
    [
        (AnswerBroken("gone"), "the connection to http://x broke: gone", "target"),
        (ConnectionResetError("reset"), "the connection to http://x broke: reset", "target"),
        (ConnectTimedOut(), "no connection to http://x: timed out", "target"),
        (ValueError("bad header"), "cannot call http://x: bad header", "test"),
    ],
)
def test_what_the_network_does_wrong_names_the_address(error: Exception, what: str, fault: str):
    assert isinstance(error, web_answers.NETWORK_ERRORS)
    failure = web_answers.network_failure("http://x", error)
    assert (failure.what, failure.fault) == (what, fault)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"error": {"message": "no such model"}}', "no such model"),
        (b'{"detail": "not found"}', "not found"),
        (b"<h1>Bad\n gateway</h1>", "<h1>Bad gateway</h1>"),
    ],
)
def test_an_error_body_is_told_by_its_own_message(body: bytes, words: str):
    assert web_answers.error_text(body) == words


@pytest.mark.parametrize("line", ['{"tool_calls": []}', 'DATA: {"a": 1}', ' data: {"a": 1}', "delete_order()"])
async def test_a_line_of_a_stream_that_is_no_event_is_an_error(line: str):
    async def chunks() -> AsyncIterator[bytes]:
        yield f"data: one\n\n{line}\n\ndata: [DONE]\n\n".encode()

    with pytest.raises(CallFailed, match="a line that is not an event"):
        assert [data async for data in web_answers.events(chunks())]


NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "0"}, 0.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "Retry-After": "1"}, 0.25),
        ({"Retry-After": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30.0),
        ({"Retry-After": "Sun, 01 Mar 2026 11:59:00 GMT"}, 0.0),
        ({"Retry-After": "Sunday, 01-Mar-26 12:00:10 GMT"}, 10.0),
        ({"Retry-After": "Sun Mar  1 12:00:05 2026"}, 5.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-5"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": ""}, None),
        ({"Retry-After": "9" * 400}, None),
        ({"retry-after-ms": "9" * 400}, None),
        ({"Retry-After": "Sun, 01 Mar 2026 12:00:00 +99999999999999999999"}, None),
        ({"Retry-After": "٣"}, 3.0),
    ],
)
def test_the_wait_a_server_asks_for(headers: dict[str, str], seconds: float | None):
    assert asked_wait(headers, NOW) == seconds
