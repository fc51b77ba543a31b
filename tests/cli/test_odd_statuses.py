"""An answer whose status is no success is never an agent's reply, however good it looks."""

import asyncio
import json

import pytest
from tests.cli.conftest import VivaProject

STATUSES = ("200", "299", "000", "099", "300", "302", "304", "399", "400", "500", "600", "999")
SUCCESSES = ("200", "299")
EVENTS = (
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
    {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "hello"},
    {"type": "TEXT_MESSAGE_END", "messageId": "m"},
    {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
)
MESSAGE = {"role": "agent", "messageId": "m", "kind": "message", "parts": [{"kind": "text", "text": "hello"}]}
BODIES = {
    "http": json.dumps({"reply": "hello"}),
    "openai": json.dumps(
        {"choices": [{"message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}]}
    ),
    "agui": "".join(f"data: {json.dumps(event)}\n\n" for event in EVENTS),
    "a2a": json.dumps({"jsonrpc": "2.0", "id": "1", "result": MESSAGE}),
}


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
    if "well-known" in path:
        writer.write(b"HTTP/1.1 404 None\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    else:
        kind, status = path.split("/")[1:3]
        media_type = "text/event-stream" if kind == "agui" else "application/json"
        head = f"HTTP/1.1 {status} Odd\r\nContent-Type: {media_type}\r\nConnection: close\r\n\r\n"
        writer.write(f"{head}{BODIES[kind]}".encode())
    await writer.drain()
    writer.close()


@pytest.mark.parametrize("kind", BODIES)
async def test_only_a_success_is_an_answer(project: VivaProject, kind: str):
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    here = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    agents: dict[str, object] = {}
    for status in STATUSES:
        url = f"{here}/{kind}/{status}"
        agents[f"s{status}"] = {
            "http": {"http": {"url": url, "body": {"q": "{{ message }}"}, "reply": "reply"}},
            "openai": {"openai": url, "model": "m", "stream": False},
            "agui": {"agui": url},
            "a2a": {"a2a": f"{here}/card", "endpoint": url, "version": "0.3", "stream": False},
        }[kind]
    project.write("viva.yaml", json.dumps({"agents": agents}))
    check = [{"type": "contains", "value": "hello"}]
    project.cases(*({"id": each, "input": "hi", "agent": each, "assertions": check} for each in agents))
    done = await asyncio.to_thread(project.viva, "test", "-i", "cases.jsonl", "-o", "r.jsonl")
    server.close()

    rows = [json.loads(line) for line in (project.root / "r.jsonl").read_text().splitlines()]
    statuses = {row["id"]: row["status"] for row in rows if row["type"] == "result"}
    # A 304 has no body, whatever follows it.
    assert statuses == {f"s{each}": "passed" if each in SUCCESSES else "error" for each in STATUSES}, done.text
