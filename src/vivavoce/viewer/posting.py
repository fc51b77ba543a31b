"""What the page sends: JSON of a known form, in a body of bounded size."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec
from aiohttp import web

from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject
from vivavoce.results.encoding import encoded

T = TypeVar("T")
LARGEST_BODY = 32 * 1024 * 1024
"""Attachments of a line travel inside it."""


async def posted(request: web.Request, kind: type[T]) -> T:
    """The body of a request as `kind`. Raises HTTPException for any other.

    The content type is one that other sites can only send after asking, which the guard refuses.
    """
    if request.content_type != "application/json":
        raise web.HTTPUnsupportedMediaType(reason="send application/json")
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except msgspec.MsgspecError as problem:
        raise web.HTTPBadRequest(reason=one_line(str(problem))) from None


def answer(row: msgspec.Struct | JsonObject, status: int = 200) -> web.Response:
    return web.Response(body=encoded(row), status=status, content_type="application/json", charset="utf-8")


async def done(work: Callable[[], Awaitable[T]]) -> T:
    """The result of the work. A VivaError or OSError becomes HTTP 409 with its message."""
    try:
        return await work()
    except (VivaError, OSError) as problem:
        raise web.HTTPConflict(reason=one_line(str(problem))) from None


def one_line(text: str) -> str:
    """Reasons of HTTP answers stand on one line."""
    return " ".join(text.split())
