"""Answers of very many values, from every kind of agent: refused with the limit named, at no cost to other cases."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from tests.cli.conftest import VivaProject

FLOOD = b"[" + b"1," * 300_000 + b"1]"
PROGRAM = "import json; print(json.dumps({'content': 'x', 'data': list(range(300_000))}))"
AGENT = """
import asyncio

def flood(text: str):
    return {"content": "x", "data": {str(n): [] for n in range(300_000)}}

async def waits(text: str):
    await asyncio.sleep(0.5)
    return "waited"
"""


def sse(*events: bytes) -> bytes:
    return b"".join(b"data: " + event + b"\n\n" for event in events)


WHOLE = {
    "openai": b'{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%b}}]}',
    "openai-responses": b'{"status":"completed","output":[{"type":"message","content":%b}]}',
    "anthropic": b'{"type":"message","role":"assistant","stop_reason":"end_turn","content":%b}',
    "http": b'{"answer":%b,"steps":[]}',
    "a2a": b'{"jsonrpc":"2.0","id":1,"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"data":%b}]}}}',
}
STREAMS = {
    "openai": sse(b'{"choices":[{"index":0,"delta":{"content":%b}}]}'),
    "openai-responses": sse(b'{"type":"response.completed","response":{"output":%b}}'),
    "anthropic": sse(b'{"type":"message_start","message":{"role":"assistant","content":%b}}'),
    "agui": sse(b'{"type":"RUN_STARTED","threadId":"t","runId":"r"}', b'{"type":"STATE_SNAPSHOT","snapshot":%b}'),
    "agui-lines": b'data: {"type":"STATE_SNAPSHOT","snapshot":\ndata: ' + FLOOD.replace(b",", b",\ndata: ") + b"}\n\n",
    "http": sse(b'{"answer":%b,"steps":[]}'),
    "ndjson": b'{"answer":%b,"steps":[]}\n',
    "a2a": sse(WHOLE["a2a"]),
}


class _Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        base = f"http://127.0.0.1:{self.server.server_address[1]}/{self.path.split('/')[1]}/a2a"
        interface = {"url": f"{base}/rpc", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}
        card = {"supportedInterfaces": [interface], "capabilities": {"streaming": "stream" in self.path}, "name": "x"}
        self._send("application/json", json.dumps(card).encode())

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        form, kind = self.path.split("/")[1:3]
        if form == "whole":
            self._send("application/json", WHOLE[kind].replace(b"%b", FLOOD))
        else:
            streamed = "application/x-ndjson" if kind == "ndjson" else "text/event-stream"
            self._send(streamed, STREAMS[kind].replace(b"%b", FLOOD))

    def _send(self, content_type: str, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def url() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    server.block_on_close = False
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def _agent(url: str, form: str, kind: str) -> dict[str, Any]:
    at = f"{url}/{form}/{kind}"
    if kind in ("http", "ndjson"):
        return {"http": {"url": at, "body": {"q": "{{ message }}"}, "reply": "$.answer", "tool_calls": "$.steps"}}
    if kind in ("a2a", "agui", "agui-lines"):
        return {kind.partition("-")[0]: at}
    return {kind: at, "model": "m", "key": "none", "stream": form == "stream"}


def test_an_answer_of_many_values_names_the_limit_and_costs_no_other_case(project: VivaProject, url: str):
    agents: dict[str, Any] = {f"whole {kind}": _agent(url, "whole", kind) for kind in WHOLE}
    agents |= {f"stream {kind}": _agent(url, "stream", kind) for kind in STREAMS}
    agents |= {"cmd": {"cmd": ["python3", "-c", PROGRAM]}, "python": {"python": "agent.py:flood"}}
    project.write("agent.py", AGENT)
    project.write("viva.yaml", json.dumps({"agents": {**agents, "waits": {"python": "agent.py:waits"}}}))
    checks = [{"type": "not_contains", "value": "never"}]
    cases: list[dict[str, Any]] = []
    for name in agents:
        cases.append({"id": name, "agent": name, "input": "hi", "assertions": checks})
        cases.append({"id": f"beside {name}", "agent": "waits", "input": "hi", "assertions": checks})
    project.cases(*cases)
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "-j", "4")
    rows = {row["id"]: row for row in project.rows() if row["type"] == "result"}
    assert len(rows) == len(cases), done.text
    for name in agents:
        assert rows[f"beside {name}"]["status"] == "passed", rows[f"beside {name}"]
        assert rows[name]["status"] == "error", name
        assert "more than 250,000 values" in rows[name]["error"], (name, rows[name]["error"])
        assert rows[name]["fault"] == ("agent" if name in ("cmd", "python") else "target"), name
