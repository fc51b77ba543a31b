"""Sends a request to its provider and yields the answer piece by piece."""

import time
from collections.abc import AsyncGenerator

from vivavoce.net.http_client import HttpClient
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.proxy.call import Call

_HOP_BY_HOP = frozenset(
    {
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer", "upgrade"),
        *("transfer-encoding", "host", "content-length", "content-encoding", "accept-encoding", "expect"),
    }
)
"""Headers that belong to one connection, or to a body in another encoding."""


async def forwarded(call: Call, answer: Answer, http: HttpClient) -> AsyncGenerator[bytes]:
    """Yields the pieces of the provider's answer, decompressed, and keeps them in `answer`.

    The first piece is empty: status and headers are known then. Raises HttpFailure.
    """
    started = time.perf_counter()
    headers = {name: value for name, value in call.headers.items() if name not in _HOP_BY_HOP}
    # Compressed pieces could not be sent on as they arrive.
    headers["accept-encoding"] = "identity"
    url = call.provider.url(call.path) + (f"?{call.query}" if call.query else "")
    with await http.request(call.method, url, headers=headers, body=call.body or None) as response:
        answer.status = response.status
        answer.headers = {
            name.lower(): value for name, value in response.headers.items() if name.lower() not in _HOP_BY_HOP
        }
        yield b""
        while piece := await response.read_some():
            answer.chunks.append((round((time.perf_counter() - started) * 1000, 1), piece))
            yield piece
        answer.is_whole = True
