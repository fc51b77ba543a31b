"""Sends one agent run and reads its stream within the time limits. Never sends it twice."""

import asyncio
from collections.abc import AsyncIterator

from msgspec import structs

from vivavoce.metering.clock import now_ms
from vivavoce.model.message import ExchangeStatus
from vivavoce.model.value_count import MOST_VALUES
from vivavoce.net.server_sent_events import FrameTooLarge, SseSplitter
from vivavoce.targets.ag_ui.agent_run_reader import AgentRunEnd, AgentRunReader
from vivavoce.targets.ag_ui.exchange import Answer, Exchange
from vivavoce.targets.http_exchange import ConnectionBroken
from vivavoce.targets.stream_deadline import LINGER_S, Deadline
from vivavoce.wording.quoting import quote_bytes

SSE = "text/event-stream"
_QUOTED = 300
_MOST_OF_AN_ERROR_PAGE = 4096


class ArrivalClock:
    """When events arrive, on the one clock that all times of a run come from: servers' own timestamps are not used."""

    now_ms = staticmethod(now_ms)


MOST_EVENTS = MOST_VALUES
"""The most events of one answer. All are kept, and a small one takes ten times its size in memory."""


async def read_agent_run(
    exchange: Exchange, body: bytes, reader: AgentRunReader, deadline: Deadline, clock: ArrivalClock
) -> AgentRunEnd:
    """Returns how the agent run ended, whatever the server does. Raises NotReached when it was never sent."""
    try:
        async with asyncio.timeout_at(deadline.first()) as scope:
            async with exchange.post(body) as answer:
                refused = await _refusal(answer)
                if refused is not None:
                    return refused
                try:
                    await _read(answer, reader, deadline, scope, clock)
                except FrameTooLarge as too_large:
                    return structs.replace(
                        reader.end(), status=ExchangeStatus.PROTOCOL_ERROR, error=f"the server sent {too_large}"
                    )
    except TimeoutError:
        if reader.is_over:
            return reader.end(warnings=(f"the stream stayed open {LINGER_S:g}s after the run's end",))
        return reader.end(deadline.missed())
    except ConnectionBroken as broken:
        return _broken_off(reader, broken)
    return reader.end()


async def _read(
    answer: Answer, reader: AgentRunReader, deadline: Deadline, scope: asyncio.Timeout, clock: ArrivalClock
) -> None:
    splitter, events = SseSplitter(), 0
    async for chunk in answer.chunks():
        frames = splitter.feed(chunk)
        events += len(frames)
        if events > MOST_EVENTS:
            raise FrameTooLarge(f"an answer of more than {MOST_EVENTS:,} events")
        if splitter.stray:
            reader.lost(splitter.stray)
        if not frames:
            continue
        reader.feed(frames, clock.now_ms())
        if reader.is_unreadable:
            return
        if reader.is_over and answer.is_complete:
            break
        deadline.move(scope, over=reader.is_over)
    reader.finish(splitter.rest(), clock.now_ms())
    if splitter.stray:
        reader.lost(splitter.stray)


def _broken_off(reader: AgentRunReader, broken: ConnectionBroken) -> AgentRunEnd:
    """Returns how a run ended whose connection broke: well, when its last event had arrived."""
    if reader.is_over:
        return reader.end(warnings=(f"the connection broke after the run's end: {broken}",))
    if reader.heard_anything:
        return reader.end(f"the connection broke ({broken})")
    return structs.replace(reader.end(), status=ExchangeStatus.HTTP_ERROR, error=str(broken))


async def _refusal(answer: Answer) -> AgentRunEnd | None:
    """Why the answer is no event stream, with the beginning of what it is instead."""
    content_type = answer.headers.get("content-type", "")
    media_type = content_type.partition(";")[0].strip().lower()
    if 200 <= answer.status < 300 and media_type == SSE:
        return None
    body = await _beginning(answer.chunks())
    if not 200 <= answer.status < 300:
        return AgentRunEnd(status=ExchangeStatus.HTTP_ERROR, error=f"HTTP {answer.status}{_quoted(body)}")
    seen = f"content type {content_type!r}" if content_type else "no content type"
    if "proto" in media_type:
        seen += " (protobuf, although text/event-stream was asked for)"
        body = b""
    error = f"HTTP {answer.status} with {seen} instead of {SSE}{_quoted(body)}"
    return AgentRunEnd(status=ExchangeStatus.PROTOCOL_ERROR, error=error)


async def _beginning(chunks: AsyncIterator[bytes]) -> bytes:
    body = b""
    try:
        async for chunk in chunks:
            body += chunk
            if len(body) >= _MOST_OF_AN_ERROR_PAGE:
                break
    except ConnectionBroken:
        pass
    return body


def _quoted(body: bytes) -> str:
    text = quote_bytes(body, _QUOTED)
    return f": {text}" if text else ""
