"""The OTLP server on loopback."""

import asyncio
import gzip
import json

import aiohttp
import pytest

from vivavoce.errors import VivaError
from vivavoce.sight.spans.receiver import Receiver

SPAN = {"traceId": "ab" * 16, "spanId": "cd" * 8, "name": "x"}
EXPORT = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [SPAN]}]}]}).encode()


async def posted(receiver: Receiver, body: bytes, path: str = "/v1/traces", kind: str = "application/json") -> int:
    url = f"http://127.0.0.1:{receiver.port}{path}"
    async with aiohttp.ClientSession() as client, client.post(url, data=body, headers={"Content-Type": kind}) as answer:
        return answer.status


async def test_spans_are_taken_zipped_or_not_and_other_signals_are_let_pass():
    receiver = Receiver(0)
    await receiver.start()
    try:
        trace = receiver.arrivals.open("here", "me")
        assert await posted(receiver, gzip.compress(EXPORT), "/turn/here/v1/traces") == 200
        assert await posted(receiver, EXPORT) == 200
        assert await posted(receiver, b"whatever", "/v1/logs") == 200
        assert [span.name for span in trace.spans.values()] == ["x"]
        assert (len(receiver.arrivals.others(since_ns=0)), receiver.arrivals.problem) == (1, None)
    finally:
        await receiver.close()


@pytest.mark.parametrize("body", [b"{garbage", b'{"spans": [1]}', b"\x1f\x8bno zip"])
async def test_an_export_that_cannot_be_read_is_remembered(body: bytes):
    receiver = Receiver(0)
    await receiver.start()
    try:
        assert await posted(receiver, body) == 400
        assert receiver.arrivals.problem is not None
    finally:
        await receiver.close()


BOMB = gzip.compress(bytes(70 << 20), 1)
DAMAGED = {
    "gzip that breaks off": ({"Content-Encoding": "gzip"}, gzip.compress(EXPORT)[:40]),
    "gzip with a bit turned": ({"Content-Encoding": "gzip"}, gzip.compress(EXPORT)[:30] + b"\xff" * 40),
    "an encoding nobody has": ({"Content-Encoding": "br"}, b"xxxx"),
    "more than a body may have": ({}, b" " * (65 << 20)),
    "a bomb": ({"Content-Encoding": "gzip"}, BOMB),
    "a bomb that does not say so": ({}, BOMB),
    "chunks without sizes": ({"Transfer-Encoding": "chunked"}, b"zzzz\r\n" + EXPORT),
}


@pytest.mark.parametrize("what", DAMAGED)
async def test_no_export_is_refused_in_silence(what: str, capfd: pytest.CaptureFixture[str]):
    """It may have held a call: checks of absence must know. Nothing of it is printed."""
    headers, body = DAMAGED[what]
    receiver = Receiver(0)
    await receiver.start()
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", receiver.port)
        length = {} if "Transfer-Encoding" in headers else {"Content-Length": str(len(body))}
        lines = [f"{name}: {value}" for name, value in {"Host": "x", **length, **headers}.items()]
        writer.write("\r\n".join(["POST /v1/traces HTTP/1.1", *lines, "", ""]).encode() + body)
        status = (await reader.readline()).split()[1]
        writer.close()
        assert status != b"200"
        assert receiver.arrivals.problem is not None
        assert "an export could not be read" in receiver.arrivals.problem
    finally:
        await receiver.close()
    assert capfd.readouterr() == ("", "")


async def test_a_port_that_is_taken_is_said():
    first = Receiver(0)
    await first.start()
    await first.start()
    try:
        with pytest.raises(VivaError, match="cannot be received on port"):
            await Receiver(first.port).start()
    finally:
        await first.close()
