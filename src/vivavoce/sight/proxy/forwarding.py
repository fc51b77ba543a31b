"""Passes a request on to its provider and hands the answer back piece by piece."""

import time
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING

from vivavoce.sight.proxy.call import Answer, Call

if TYPE_CHECKING:
    import aiohttp

_HOP_BY_HOP = frozenset(
    {
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "upgrade"),
        *("transfer-encoding", "host", "content-length", "content-encoding", "accept-encoding", "expect"),
    }
)
"""Headers that belong to one connection, or to a body in another encoding."""


async def forwarded(call: Call, answer: Answer, session: "aiohttp.ClientSession") -> AsyncGenerator[bytes]:
    """Yields the pieces of the provider's answer, decompressed, and keeps them in `answer`.

    The first piece may be empty: status and headers are known then. Raises aiohttp.ClientError.
    """
    started = time.perf_counter()
    headers = {name: value for name, value in call.headers.items() if name not in _HOP_BY_HOP}
    # Compressed pieces could not be passed on as they arrive.
    headers["accept-encoding"] = "identity"
    url = call.provider.url(call.path) + (f"?{call.query}" if call.query else "")
    async with session.request(
        call.method, url, data=call.body or None, headers=headers, allow_redirects=False
    ) as response:
        answer.status = response.status
        answer.headers = {
            name.lower(): value for name, value in response.headers.items() if name.lower() not in _HOP_BY_HOP
        }
        yield b""
        while piece := await response.content.readany():
            answer.chunks.append((round((time.perf_counter() - started) * 1000, 1), piece))
            yield piece
        answer.is_whole = True
