"""MCP servers over HTTP that answer without end."""

import asyncio
import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.targets.mcp import bounded_http
from vivavoce.targets.mcp.heard import Heard
from vivavoce.targets.mcp.link import McpAddress, McpLink

FAR_TOO_LONG_S = 60


class Endless(BaseHTTPRequestHandler):
    """Says one JSON text, or one event, that never ends."""

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - the base class calls it so

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        kind = "text/event-stream" if self.path == "/event" else "application/json"
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(b"data: " if self.path == "/event" else b'{"reply": "')
        try:
            while True:
                self.wfile.write(b"x" * 65536)
        except OSError:
            pass


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endless)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("path", ["/json", "/event"])
async def test_an_endless_answer_is_cut_off(address: str, path: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bounded_http, "LARGEST_ANSWER", 1 << 20)
    server = McpLink("endless", lambda: McpAddress(url=f"{address}{path}"))
    async with asyncio.timeout(FAR_TOO_LONG_S):
        with pytest.raises(CallFailed, match=r"more than 1 MB|event"):
            await server.client()
        await server.close()


class Library:
    """As much of the SDK's HTTP library as is used."""

    class AsyncByteStream: ...

    class StreamError(Exception): ...

    class RequestError(Exception): ...


class Pieces:
    def __init__(self, *pieces: bytes) -> None:
        self.pieces = pieces

    async def __aiter__(self):
        for piece in self.pieces:
            yield piece


class Response:
    request = SimpleNamespace(method="POST")
    status_code = 200

    def __init__(self, kind: str, *pieces: bytes) -> None:
        self.headers = {"content-type": kind}
        self.stream = Pieces(*pieces)


async def read(response: Response) -> int:
    [bound] = bounded_http.http_limits(Library, "http://127.0.0.1/", Heard())["response"]
    await bound(response)
    return sum([len(piece) async for piece in response.stream])


async def test_a_stream_may_go_on_as_long_as_its_events_end(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bounded_http, "LARGEST_ANSWER", 100)
    for end in (b"\n\n", b"\r\n\r\n", b"\r\r"):
        assert await read(Response("text/event-stream", *[b"data: x" + end] * 50)) == 50 * (7 + len(end))
    with pytest.raises(Library.StreamError, match="more than 0 MB"):
        await read(Response("text/event-stream", *[b"data: x\n"] * 50))
    with pytest.raises(Library.StreamError):
        await read(Response("application/json", *[b"data: x\n\n"] * 50))


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_an_answer_of_many_values_is_refused_before_it_is_read(kind: str):
    many, few = b'{"a": [' + b"1," * 300_000 + b"1]}", b'{"a": "' + b"1," * 300_000 + b'"}'
    around = (b"event: message\ndata: ", b"\n\n") if kind == "text/event-stream" else (b"", b"")
    whole = around[0] + few + around[1]
    assert await read(Response(kind, whole[:1000], whole[1000:])) == len(whole)
    with pytest.raises(Library.StreamError, match="the answer has more than 250,000 values"):
        await read(Response(kind, around[0] + many[:1000], many[1000:] + around[1]))


async def test_a_packed_answer_is_unpacked_within_the_limit():
    """One piece of a megabyte may become a gigabyte."""
    packed, bomb = gzip.compress(b"data: x\n\n"), gzip.compress(b"x" * (65 << 20))
    for encoding, pieces in (
        ("gzip", (packed,)),
        ("GZIP", (packed[:9], b"", packed[9:])),
        ("identity", (b"data: x\n\n",)),
    ):
        response = Response("text/event-stream", *pieces)
        response.headers["content-encoding"] = encoding
        assert await read(response) == 9
        assert "content-encoding" not in response.headers
    response = Response("application/json", bomb)
    response.headers["content-encoding"] = "gzip"
    with pytest.raises(Library.StreamError, match="more than 64 MB"):
        await read(response)
    response = Response("application/json", packed[:-4])
    response.headers["content-encoding"] = "gzip"
    with pytest.raises(Library.StreamError, match="is cut off"):
        await read(response)
    response = Response("text/event-stream", gzip.compress(b"data: x\n\n" * (8 << 20)))
    response.headers["content-encoding"] = "gzip"
    with pytest.raises(Library.StreamError, match="more than 64 MB"):
        await read(response)
    response = Response("application/json", b"no gzip")
    response.headers["content-encoding"] = "gzip"
    with pytest.raises(Library.StreamError, match="cannot be decompressed"):
        await read(response)
    response.headers["content-encoding"] = "br"
    with pytest.raises(Library.RequestError, match="'br', which was not asked for"):
        await read(response)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_client_that_follows_redirects_stays_on_its_server(status: int):
    """As the one of the SDKs 1.10 to 1.27 does."""
    httpx = pytest.importorskip("httpx")
    asked: list[str] = []

    async def answer(request: Any) -> Any:
        asked.append(str(request.url))
        where = {"/mcp": "/mcp/", "/mcp/": "https://a.example/"}.get(request.url.path)
        return httpx.Response(200) if where is None else httpx.Response(status, headers={"Location": where})

    hooks = bounded_http.http_limits(httpx, "http://a.example:8080/mcp", Heard())
    transport = httpx.MockTransport(answer)
    async with httpx.AsyncClient(transport=transport, follow_redirects=True, event_hooks=hooks) as client:
        with pytest.raises(httpx.RequestError, match=r"to another host, https://a\.example: nothing was sent"):
            await client.post("http://a.example:8080/mcp", headers={"X-Key": "secret"}, content=b"a call")
    assert asked == ["http://a.example:8080/mcp", "http://a.example:8080/mcp/"]
