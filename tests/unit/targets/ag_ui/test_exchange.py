"""A run sent to a live server: its headers, and those of whoever watches."""

from pathlib import Path

from aiohttp import web
from tests.fakes.surroundings import surroundings_at
from tests.fakes.web_server import Seen, WebServer

from vivavoce.protocols import Provisions
from vivavoce.targets.ag_ui.exchange import HttpExchange


async def posted(root: Path, headers: dict[str, str], provisions: Provisions | None = None) -> Seen:
    async with WebServer(lambda _: web.Response(text="data: 1\n\n")) as server, surroundings_at(root) as around:
        exchange = HttpExchange(around.http, server.url, headers, 10.0, provisions)
        async with exchange.post(b'{"a": 1}') as answer:
            assert answer.status == 200
            assert b"".join([chunk async for chunk in answer.chunks()]) == b"data: 1\n\n"
            assert answer.is_complete
        await exchange.close()
    return server.seen[0]


async def test_a_run_is_one_post_that_asks_for_a_stream(tmp_path: Path):
    seen = await posted(tmp_path, {"X-Key": "1", "Accept": "text/html"})
    assert (seen.method, seen.json) == ("POST", {"a": 1})
    assert seen.headers.getall("Accept") == ["text/event-stream"]
    assert (seen.headers["Content-Type"], seen.headers["X-Key"]) == ("application/json", "1")


async def test_headers_of_those_who_watch_are_added_and_never_replace_the_users(tmp_path: Path):
    watching = Provisions(headers={"traceparent": "00-1", "X-Key": "theirs"})
    seen = await posted(tmp_path, {"X-Key": "mine"}, watching)
    assert (seen.headers["traceparent"], seen.headers.getall("X-Key")) == ("00-1", ["mine"])


async def test_headers_are_read_anew_for_every_run(tmp_path: Path):
    watching = Provisions(headers={"traceparent": "00-1"})
    async with WebServer(lambda _: "ok") as server, surroundings_at(tmp_path) as around:
        exchange = HttpExchange(around.http, server.url, {}, 10.0, watching)
        for number in (1, 2):
            watching.headers["traceparent"] = f"00-{number}"
            async with exchange.post(b"{}"):
                pass
    assert [seen.headers["traceparent"] for seen in server.seen] == ["00-1", "00-2"]
