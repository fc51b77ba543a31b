"""A loopback server that is never the bottleneck: canned answers straight from an asyncio protocol.

`POST /v1/chat/completions` answers like an OpenAI-compatible endpoint, `POST /agui` streams one AG-UI run.
Run as `python -m benchmarks.mock_server [latency_ms]`; it prints its port, then the monotonic time of its first reply,
and serves until killed.
"""

import asyncio
import json
import sys
import time

CHAT = json.dumps(
    {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "pong: all is well"}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 12, "completion_tokens": 5, "total_tokens": 17},
    }
).encode()


def _agui_events(deltas: int) -> bytes:
    events: list[dict[str, object]] = [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}]
    events += [{"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "lookup", "parentMessageId": "m0"}]
    events += [{"type": "TOOL_CALL_ARGS", "toolCallId": "c1", "delta": '{"q": "x"}'}]
    events += [{"type": "TOOL_CALL_END", "toolCallId": "c1"}]
    events += [{"type": "TOOL_CALL_RESULT", "messageId": "m1", "toolCallId": "c1", "content": "found", "role": "tool"}]
    events += [{"type": "TEXT_MESSAGE_START", "messageId": "m2", "role": "assistant"}]
    events += [{"type": "TEXT_MESSAGE_CONTENT", "messageId": "m2", "delta": f"word {n} "} for n in range(deltas)]
    events += [{"type": "TEXT_MESSAGE_END", "messageId": "m2"}, {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}]
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


def _response(body: bytes, content_type: str) -> bytes:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


ANSWERS = {
    b"/v1/chat/completions": _response(CHAT, "application/json"),
    b"/agui": _response(_agui_events(92), "text/event-stream"),
}


class CannedHttp(asyncio.Protocol):
    """Just enough HTTP/1.1: one request after another on a kept connection."""

    latency_s = 0.0
    silent = True
    """Until the first reply of all."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]
        self._buffer = b""

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].lower()
            at = head.find(b"content-length:")
            length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
            if len(self._buffer) < end + 4 + length:
                return
            path = self._buffer.split(b" ", 2)[1]
            self._buffer = self._buffer[end + 4 + length :]
            answer = ANSWERS.get(path, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            if self.latency_s:
                asyncio.get_running_loop().call_later(self.latency_s, self._reply, answer)
            else:
                self._reply(answer)

    def _reply(self, answer: bytes) -> None:
        if CannedHttp.silent:
            CannedHttp.silent = False
            print(time.monotonic(), flush=True)
        self._transport.write(answer)


async def serve(latency_ms: float) -> None:
    CannedHttp.latency_s = latency_ms / 1000
    server = await asyncio.get_running_loop().create_server(CannedHttp, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]) if len(sys.argv) > 1 else 0.0))
