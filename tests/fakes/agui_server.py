"""A loopback server that answers every POST exactly as a test says, however wrong that is."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.accepting import pending_accepts

Event = dict[str, Any]
Piece = bytes | float | asyncio.Event
"""Bytes to send at once, seconds to wait, or what to wait for."""


@dataclass
class Reply:
    """One answer: its head, its body piece by piece, and how the connection ends."""

    pieces: Sequence[Piece]
    status: int = 200
    """0: not even a head."""
    content_type: str | None = "text/event-stream"
    ending: str = "close"
    """close: a clean end · abort: in the middle of the body · hang: never · repeat: the last piece for ever."""


@dataclass
class FakeAgUiServer:
    """Keeps what it was asked; the n-th request gets the n-th reply, the last one again and again."""

    replies: Sequence[Reply]
    url: str = ""
    bodies: list[Event] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    connections: int = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            await self._receive(reader)
            await self._send(self.replies[min(len(self.bodies), len(self.replies)) - 1], writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _receive(self, reader: asyncio.StreamReader) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        self.headers.append(headers)
        self.bodies.append(json.loads(body))

    async def _send(self, reply: Reply, writer: asyncio.StreamWriter) -> None:
        kind = "" if reply.content_type is None else f"Content-Type: {reply.content_type}\r\n"
        chunked = reply.ending == "abort"
        framing = "Transfer-Encoding: chunked\r\n" if chunked else "Connection: close\r\n"
        if reply.status:
            writer.write(f"HTTP/1.1 {reply.status} X\r\n{kind}{framing}\r\n".encode())
        await writer.drain()
        pieces = list(reply.pieces)
        while pieces:
            piece = pieces.pop(0)
            if isinstance(piece, bytes):
                writer.write(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
                await writer.drain()
            elif isinstance(piece, asyncio.Event):
                await piece.wait()
            else:
                await asyncio.sleep(piece)
            if reply.ending == "repeat" and not pieces:
                await asyncio.sleep(0.005)
                pieces.append(piece)
        if reply.ending == "hang":
            await asyncio.sleep(3600)


@asynccontextmanager
async def serving(*replies: Reply) -> AsyncIterator[FakeAgUiServer]:
    fake = FakeAgUiServer(replies)
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(fake.answer(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        task.add_done_callback(lambda _: writer.close())  # also of a task that was cancelled before it began

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    fake.url = f"http://{host}:{port}/agent"
    try:
        yield fake
    finally:
        for listening in server.sockets:
            asyncio.get_running_loop().remove_reader(listening.fileno())
        await pending_accepts()  # a connection that is just being accepted gets its task first
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()
        await asyncio.sleep(0)  # the loop closes the sockets now


# ── events as servers write them ────────────────────────────────────────────────────


def sse(*events: Event | str, end: str = "\n") -> bytes:
    """Events as one body; a string is a comment."""
    return "".join(
        f": {event}{end}{end}" if isinstance(event, str) else f"data: {json.dumps(event)}{end}{end}" for event in events
    ).encode()


def run(*events: Event, outcome: Event | None = None) -> list[Event]:
    """A whole run around some events."""
    finished = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", **({"outcome": outcome} if outcome else {})}
    return [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, *events, finished]


def text(words: str, message_id: str = "m1", role: str = "assistant") -> list[Event]:
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": role},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": words},
        {"type": "TEXT_MESSAGE_END", "messageId": message_id},
    ]


def call(call_id: str, name: str, args: str = "{}", result: Any = None) -> list[Event]:
    told: list[Event] = [
        {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": name},
        {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": args},
        {"type": "TOOL_CALL_END", "toolCallId": call_id},
    ]
    if result is not None:
        told.append({"type": "TOOL_CALL_RESULT", "toolCallId": call_id, "messageId": f"{call_id}-r", "content": result})
    return told


def interrupt(*interrupts: Event) -> Event:
    return {"type": "interrupt", "interrupts": list(interrupts)}


def replies_with(*runs: list[Event]) -> list[Reply]:
    return [Reply([sse(*events)]) for events in runs]
