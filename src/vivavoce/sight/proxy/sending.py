"""Sends answers to the agent: whole, refused, or spoilt by a fault of the test."""

import asyncio
from typing import TYPE_CHECKING

import msgspec

from vivavoce.net.http_client import HttpClient
from vivavoce.net.http_failures import HttpFailure
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.proxy.call import Call
from vivavoce.sight.proxy.forwarding import forwarded
from vivavoce.sight.proxy.taps import Tap

if TYPE_CHECKING:
    from aiohttp import web


async def begun(request: "web.BaseRequest", answer: Answer) -> "web.StreamResponse":
    """Sends status and headers."""
    from aiohttp import web

    response = web.StreamResponse(status=answer.status, headers=answer.headers)
    await response.prepare(request)
    return response


def refused(status: int, why: str) -> "web.Response":
    """An error of the proxy itself, which SDKs do not retry."""
    from aiohttp import web

    body = msgspec.json.encode({"error": {"message": why, "type": "viva_model_proxy"}})
    return web.Response(status=status, body=body, content_type="application/json", headers={"x-should-retry": "false"})


async def send_spoilt(
    request: "web.BaseRequest", tap: Tap, call: Call, taped: Answer | None, http: HttpClient
) -> "web.StreamResponse":
    """Gets the real answer, from the tape or the provider, and sends it with the fault."""
    real, got = Answer(headers={}, chunks=[]) if taped is None else taped, Answer(headers={}, chunks=[])
    problem = "the agent hung up"
    try:
        if taped is None:
            async for _ in forwarded(call, real, http):
                pass
        spoilt = await tap.spoilt(call, real)
        got.status, got.headers = spoilt.answer.status, spoilt.answer.headers
        response = await begun(request, spoilt.answer)
        for number, (at_ms, piece) in enumerate(spoilt.answer.chunks):
            await response.write(piece)
            got.chunks.append((at_ms, piece))
            if number == 0:
                await asyncio.sleep(spoilt.pause_s)
        problem = ""
        if spoilt.is_cut:
            if request.transport is not None:
                request.transport.close()
            return response
        await response.write_eof()
        got.is_whole = True
    except (HttpFailure, ConnectionError, ValueError) as error:
        if got.status:
            raise
        problem = f"{call.provider.name} cannot be reached: {error or type(error).__name__}"
        return refused(502, f"viva's model proxy: {problem}")
    finally:
        await tap.end(call, real, problem, got)
    return response
