"""A real loopback server whose answers the test decides, for everything that speaks plain HTTP."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from multidict import CIMultiDict
from tests.fakes.accepting import pending_accepts

Answer = web.StreamResponse | dict[str, Any] | list[Any] | str


@dataclass
class Seen:
    """One request as it arrived."""

    method: str
    path: str
    headers: CIMultiDict[str]
    body: bytes
    request: web.Request

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class WebServer:
    """`async with WebServer(lambda seen: {"answer": "hi"}) as server:`; a dict is sent as JSON, a text as text."""

    def __init__(self, decide: Callable[[Seen], Answer | Awaitable[Answer]]) -> None:
        self._decide = decide
        self._runner: web.AppRunner | None = None
        self.seen: list[Seen] = []
        self.url = ""

    async def __aenter__(self) -> "WebServer":
        app = web.Application(client_max_size=2**28)
        app.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await pending_accepts()
        await self._runner.cleanup()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        seen = Seen(request.method, request.path_qs, CIMultiDict(request.headers), body, request)
        self.seen.append(seen)
        answer = self._decide(seen)
        if isinstance(answer, Awaitable) and not isinstance(answer, web.StreamResponse):
            answer = await answer
        if isinstance(answer, web.StreamResponse):
            return answer
        return web.Response(text=answer) if isinstance(answer, str) else web.json_response(answer)


async def in_pieces(
    seen: Seen, *pieces: str | bytes, content_type: str = "text/event-stream", hang_up: bool = False
) -> web.StreamResponse:
    """An answer that arrives in pieces; the connection may be cut after the last one."""
    response = web.StreamResponse(headers={"Content-Type": content_type})
    await response.prepare(seen.request)
    for piece in pieces:
        await response.write(piece.encode() if isinstance(piece, str) else piece)
    if hang_up and seen.request.transport is not None:
        seen.request.transport.close()
        return response
    await response.write_eof()
    return response
