"""The OTLP server on loopback."""

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


async def test_a_port_that_is_taken_is_said():
    first = Receiver(0)
    await first.start()
    await first.start()
    try:
        with pytest.raises(VivaError, match="cannot be received on port"):
            await Receiver(first.port).start()
    finally:
        await first.close()
