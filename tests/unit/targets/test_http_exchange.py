"""Requests to agents: what is followed, what is refused, and what cannot be reached."""

import socket

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from vivavoce.net.http_client import HttpClient
from vivavoce.targets.http_exchange import ConnectionBroken, HttpCaller, NotReached


async def _moved(request: web.Request) -> web.Response:
    raise (web.HTTPFound if request.path == "/see" else web.HTTPTemporaryRedirect)(request.query["to"])


async def _endless(_: web.Request) -> web.Response:
    raise web.HTTPFound("/endless")


async def _said(request: web.Request) -> web.Response:
    return web.Response(text=f"{request.method} {await request.text()}")


async def _ask(method: str, path: str, body: bytes | None = None) -> str:
    app = web.Application()
    app.router.add_route("*", "/moved", _moved)
    app.router.add_route("*", "/see", _moved)
    app.router.add_route("*", "/said", _said)
    app.router.add_get("/endless", _endless)
    http = HttpClient()
    async with TestServer(app) as server:
        try:
            caller = HttpCaller(http, {}, 5)
            async with caller.request(method, str(server.make_url(path)), body) as answer:
                return b"".join([chunk async for chunk in answer.chunks()]).decode()
        finally:
            await http.close()


async def test_a_redirect_on_the_same_server_is_followed_with_the_body() -> None:
    assert await _ask("POST", "/moved?to=/said", b"hello") == "POST hello"
    assert await _ask("GET", "/see?to=/said") == "GET "


async def test_a_redirect_to_another_host_is_refused_and_one_that_drops_the_body_too() -> None:
    with pytest.raises(ConnectionBroken, match=r"redirects to another host, http://elsewhere.invalid"):
        await _ask("POST", "/moved?to=http://elsewhere.invalid/said", b"hello")
    with pytest.raises(ConnectionBroken, match=r"redirects to 'mailto:me', which is not an address"):
        await _ask("POST", "/moved?to=mailto:me", b"hello")
    with pytest.raises(ConnectionBroken, match="has moved to"):
        await _ask("POST", "/see?to=/said", b"hello")
    with pytest.raises(ConnectionBroken, match="redirects without end"):
        await _ask("GET", "/endless")


async def test_nobody_there_is_told_apart_from_a_broken_line() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        http = HttpClient()
        with pytest.raises(NotReached, match="cannot connect to"):
            async with HttpCaller(http, {}, 5).request("GET", url):
                pass
        await http.close()
