"""A server of ours prints nothing about requests it cannot read."""

import asyncio

import pytest
from aiohttp import web

from vivavoce.net.server_log import server_log

BROKEN = {
    "no HTTP": b"\x16\x03\x01\x02\x00\x1b]0;title\x07\r\n\r\n",
    "damaged gzip": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd",
    "unknown encoding": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: br\r\nContent-Length: 4\r\n\r\nabcd",
    "bad chunks": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "raising": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("what", BROKEN)
async def test_what_cannot_be_read_is_told_and_not_printed(what: str, capfd: pytest.CaptureFixture[str]):
    told: list[str] = []

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        await request.read()
        raise ZeroDivisionError

    runner = web.ServerRunner(web.Server(handle, access_log=None, logger=server_log(told.append)))
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        reader, writer = await asyncio.open_connection("127.0.0.1", runner.addresses[0][1])
        writer.write(BROKEN[what])
        assert (await reader.readline()).split()[1][:1] in (b"4", b"5")
        writer.close()
    finally:
        await runner.cleanup()
    assert told
    assert capfd.readouterr() == ("", "")
