"""Server-sent events: a stream, and the events in it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from aiohttp import web

from vivavoce.viewer.guard import HEADERS


def new_stream() -> web.StreamResponse:
    return web.StreamResponse(headers={**HEADERS, "Content-Type": "text/event-stream; charset=utf-8"})


@asynccontextmanager
async def streaming(stream: web.StreamResponse, request: web.Request) -> AsyncGenerator[None]:
    """A reader that goes away and a store that fails both end the stream; the page asks again."""
    await stream.prepare(request)
    try:
        yield
    except (ConnectionResetError, web.HTTPServiceUnavailable):
        return


def event_bytes(name: str, data: bytes, event_id: int | None = None) -> bytes:
    """One event. The data is JSON, which never holds a bare line break."""
    numbered = b"" if event_id is None else f"id: {event_id}\n".encode()
    return b"%sevent: %s\ndata: %s\n\n" % (numbered, name.encode(), data)
