"""A real loopback server that speaks `/v1/chat/completions`, the way the test tells it to."""

import asyncio
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from multidict import CIMultiDict
from tests.fakes.accepting import pending_accepts


@dataclass
class Reply:
    """One answer. `raw` sends these very bytes, chunk by chunk; otherwise an answer is made of the rest."""

    text: str = ""
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    usage: dict[str, Any] | None = None
    finish_reason: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    """Put next to the content of the message."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None
    """The whole answer instead, as JSON."""
    raw: Iterable[bytes] | None = None
    content_type: str = "application/json"
    delay_s: float = 0.0
    hang_up: bool = False
    """Whether the connection is cut after `raw`."""


@dataclass
class Recorded:
    path: str
    headers: CIMultiDict[str]
    body: dict[str, Any]


class OpenAiServer:
    """`async with OpenAiServer(Reply("hi")) as server:` — the last reply is repeated; a function decides."""

    def __init__(self, *replies: Reply | Callable[[dict[str, Any]], Reply]) -> None:
        self._replies = list(replies) or [Reply("hello")]
        self._runner: web.AppRunner | None = None
        self.requests: list[Recorded] = []
        self.hung_up = 0
        self.url = ""

    async def __aenter__(self) -> "OpenAiServer":
        app = web.Application(client_max_size=2**28)
        app.router.add_post("/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await pending_accepts()
        await self._runner.cleanup()

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request.body for request in self.requests]

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(Recorded(request.path_qs, CIMultiDict(request.headers), body))
        planned = self._replies[min(len(self.requests), len(self._replies)) - 1]
        reply = planned(body) if callable(planned) else planned
        if reply.delay_s:
            try:
                await asyncio.sleep(reply.delay_s)
            except asyncio.CancelledError:
                self.hung_up += 1
                raise
        if reply.raw is not None:
            return await self._raw(request, reply, reply.raw)
        if body.get("stream") and reply.status == 200 and reply.body is None:
            return await self._raw(request, reply, stream_of(reply), "text/event-stream")
        payload = completion_of(reply) if reply.body is None else reply.body
        data = json.dumps(payload).encode()
        return web.Response(body=data, status=reply.status, headers=reply.headers, content_type=reply.content_type)

    async def _raw(
        self, request: web.Request, reply: Reply, chunks: Iterable[bytes], content_type: str | None = None
    ) -> web.StreamResponse:
        response = web.StreamResponse(status=reply.status, headers=reply.headers)
        response.content_type = content_type or reply.content_type
        await response.prepare(request)
        for chunk in chunks:
            await response.write(chunk)
            await asyncio.sleep(0)
        if reply.hang_up and request.transport is not None:
            request.transport.close()
            return response
        await response.write_eof()
        return response


def completion_of(reply: Reply) -> dict[str, Any]:
    calls = [
        {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for at, (name, args) in enumerate(reply.calls)
    ]
    message = {"role": "assistant", "content": reply.text or None, **reply.extra}
    if calls:
        message["tool_calls"] = calls
    finish = reply.finish_reason or ("tool_calls" if calls else "stop")
    made: dict[str, Any] = {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}
    return {**made, "usage": reply.usage} if reply.usage else made


def stream_of(reply: Reply) -> list[bytes]:
    """The same in pieces: words one by one, arguments cut in two."""
    finish = reply.finish_reason or ("tool_calls" if reply.calls else "stop")
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in _cut(reply.text)]
    for at, (name, args) in enumerate(reply.calls):
        first, second = _cut(json.dumps(args))
        deltas.append({"tool_calls": [{"index": at, "id": f"c{at}", "function": {"name": name, "arguments": first}}]})
        deltas.append({"tool_calls": [{"index": at, "function": {"arguments": second}}]})
    if reply.extra:
        deltas.append(reply.extra)
    events: list[Any] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if reply.usage:
        events.append({"choices": [], "usage": reply.usage})
    return [*(f"data: {json.dumps(event)}\n\n".encode() for event in events), b"data: [DONE]\n\n"]


def _cut(text: str) -> list[str]:
    middle = len(text) // 2
    return [text[:middle], text[middle:]] if text else []
