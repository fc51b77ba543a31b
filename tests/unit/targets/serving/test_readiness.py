import asyncio
from collections.abc import AsyncIterator

import pytest

from vivavoce.errors import UsageError
from vivavoce.net.http_client import HttpClient
from vivavoce.targets.serving.readiness import Readiness


@pytest.fixture
async def http() -> AsyncIterator[HttpClient]:
    client = HttpClient()
    yield client
    await client.close()


@pytest.fixture
async def answering() -> AsyncIterator[tuple[int, list[bytes]]]:
    """The port of a server, and the status it answers with."""
    status = [b"503 Busy"]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if await reader.read(1):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 " + status[0] + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "localhost", 0)
    async with server:
        yield server.sockets[0].getsockname()[1], status


def no_log() -> str:
    raise AssertionError("the log does not matter here")


async def test_a_url_is_ready_once_it_answers_with_less_than_500(http: HttpClient, answering: tuple[int, list[bytes]]):
    port, status = answering
    ready = Readiness(f"http://localhost:{port}/health", None, http)
    assert not await ready.is_ready(no_log)
    assert str(ready) == f"http://localhost:{port}/health answers 503"
    status[0] = b"401 Key"
    assert await ready.is_ready(no_log)


async def test_a_port_is_ready_once_somebody_listens(http: HttpClient, answering: tuple[int, list[bytes]]):
    port, _ = answering
    assert await Readiness(port, None, http).is_ready(no_log)
    closed = await asyncio.start_server(lambda *_: None, "localhost", 0)
    free: int = closed.sockets[0].getsockname()[1]
    closed.close()
    await closed.wait_closed()
    nobody = Readiness(free, None, http)
    assert not await nobody.is_ready(no_log)
    assert str(nobody) == f"nobody listens on port {free}"


async def test_a_pattern_is_looked_for_in_the_log(http: HttpClient):
    ready = Readiness("started on \\d+", "http://localhost:8000/v1", http)
    assert not await ready.is_ready(lambda: "starting")
    assert str(ready) == "its log does not match /started on \\d+/"
    assert await ready.is_ready(lambda: "starting\nstarted on 8000")


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://localhost:8000/v1", ("localhost", 8000)),
        ("https://127.0.0.2/", ("127.0.0.2", 443)),
        ("http://0.0.0.0", ("localhost", 80)),
        ("http://[::1]:5", ("::1", 5)),
        ("http://example.com:8000", None),
        ("http://localhost:${PORT}", None),
        (None, None),
    ],
)
async def test_only_an_address_of_this_machine_can_be_taken(
    http: HttpClient, url: str | None, address: tuple[str, int] | None
):
    assert Readiness("up", url, http).address == address


async def test_an_address_that_is_none_is_a_usage_error(http: HttpClient):
    with pytest.raises(UsageError, match="serve: not an address: 'http://localhost:port'"):
        Readiness("up", "http://localhost:port", http)
