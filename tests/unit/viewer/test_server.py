"""The web page's server: where it listens, and how it ends."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
from tests.unit.viewer.asking import events

from vivavoce.errors import UsageError
from vivavoce.results.history.reading import History
from vivavoce.viewer.library import Library
from vivavoce.viewer.server import serving


@pytest.mark.parametrize(
    "request_text", ["GET / HTTP/1.1\r\nX: " + "a" * 9000, "GET / HTTP/1.1\r\nContent-Length: x", "no HTTP"]
)
async def test_a_request_that_cannot_be_read_is_its_senders_trouble(
    address: str, request_text: str, caplog: pytest.LogCaptureFixture
):
    place = urlsplit(address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(f"{request_text}\r\n\r\n".encode())
    assert (await reader.readline()).endswith(b" 400 Bad Request\r\n")
    writer.close()
    assert caplog.records == []


async def test_only_this_machine_is_listened_to(address: str):
    assert urlsplit(address).hostname == "127.0.0.1"


async def test_open_streams_do_not_hold_up_the_end(client: aiohttp.ClientSession, store: Path):
    async with asyncio.timeout(30), AsyncExitStack() as served:
        address = await served.enter_async_context(serving(Library(History(store))))
        stream = events(client, address + "api/events")
        await anext(stream)
        # A server that waits for its streams would wait for a minute.
        await served.aclose()
    await stream.aclose()  # type: ignore[attr-defined]


async def test_a_taken_port_is_the_users_to_know(store: Path, address: str):
    port = urlsplit(address).port
    assert port is not None
    with pytest.raises(UsageError, match=f"port {port} cannot be used: it is in use"):
        async with serving(Library(History(store)), port):
            pass
