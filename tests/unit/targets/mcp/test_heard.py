"""Answers of MCP servers that cannot be read, or not in one way only: never a reply, whatever the SDK makes of them."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.targets.mcp.link import McpAddress, McpLink
from vivavoce.targets.mcp.target import McpSession

pytest.importorskip("mcp")

DOUBTFUL = {
    "a key twice": b'{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"k":1,"k":5}}}',
    "NaN": b'{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"k":NaN}}}',
    "infinity": b'{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"k":1e999}}}',
    "both": b'{"jsonrpc":"2.0","id":ID,"result":{"content":[]},"error":{"code":-5,"message":"no"}}',
}
UNREADABLE = {
    **DOUBTFUL,
    "half a character": b'{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"\\ud800"}]}}',
    "not UTF-8": b'{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"\xff"}]}}',
    "cut off": b'{"jsonrpc":"2.0","id":ID,"result":{"content":[',
    "neither": b'{"jsonrpc":"2.0","id":ID}',
    "a list": b'[{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}]',
    "words": b"I am no JSON",
}
REFUSED = b'{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"not today"}}'
FINE = b'{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"fine"}]}}'
STATUSES = (202, 204, 301, 400, 401, 404, 418, 429, 500, 503)
CASES: dict[str, tuple[int, str, bytes]] = {
    **{f"{name} in JSON": (200, "application/json", body) for name, body in UNREADABLE.items()},
    **{f"{name} in an event": (200, "text/event-stream", b"data: %s\n\n" % body) for name, body in UNREADABLE.items()},
    **{f"status {status}": (status, "text/plain", b"") for status in STATUSES},
    "another kind": (200, "text/html", b"<h1>Welcome</h1>"),
    "no event": (200, "text/event-stream", b""),
}
BEGINNING: dict[str, Any] = {
    "initialize": {
        "protocolVersion": "2025-03-26",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "odd", "version": "1"},
    },
    "tools/list": {"tools": [{"name": "pay", "inputSchema": {"type": "object"}}]},
}


class OddServer(BaseHTTPRequestHandler):
    """Answers the call of a tool with what its `x` names."""

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - the base class calls it so

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "id" not in asked:
            self._answer(202, "text/plain", b"")
        elif asked["method"] in BEGINNING:
            result = {"jsonrpc": "2.0", "id": asked["id"], "result": BEGINNING[asked["method"]]}
            self._answer(200, "application/json", json.dumps(result).encode())
        elif asked["method"] != "tools/call":
            unknown = {"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32601, "message": "unknown"}}
            self._answer(200, "application/json", json.dumps(unknown).encode())
        else:
            others = {"fine": (200, "application/json", FINE), "refused": (400, "application/json", REFUSED)}
            status, kind, body = {**CASES, **others}[asked["params"]["arguments"]["x"]]
            self._answer(status, kind, body.replace(b"ID", json.dumps(asked["id"]).encode()))

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), OddServer)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/mcp"
    server.shutdown()
    server.server_close()


async def asked(where: Callable[[], McpAddress], *words: str) -> list[AgentReply | CallFailed]:
    """Calls the tool with each of the words. What it said, or that it said nothing."""
    link, found = McpLink("odd", where, sdk_judges=False), list[AgentReply | CallFailed]()
    session = McpSession(link, judged=True)
    for word in words:
        line = Line(content=json.dumps({"call": "pay", "args": {"x": word}}), source="static")
        try:
            found.append(await session.send(line, Transcript()))
        except CallFailed as failed:
            found.append(failed)
    await link.close()
    return found


async def test_what_cannot_be_read_is_no_reply_and_the_targets_fault(address: str):
    found = dict(zip(CASES, await asked(lambda: McpAddress(url=address), *CASES), strict=True))
    assert {name: one for name, one in found.items() if getattr(one, "fault", "") != "target"} == {}
    assert "HTTP 500" in str(found["status 500"])
    assert "key written twice" in str(found["a key twice in an event"])


async def test_an_error_that_the_server_sent_is_judged(address: str):
    fine, refused = await asked(lambda: McpAddress(url=address), "fine", "refused")
    assert isinstance(fine, AgentReply)
    assert isinstance(refused, AgentReply)
    assert (fine.text, refused.text, refused.finish_reason) == ("fine", "not today", "error")


OVER_STDIO = """
import json, sys
BEGINNING, ANSWERS = json.loads(sys.argv[1]), json.loads(sys.argv[2])
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "tools/call":
        print("words that are no message")
        answer = ANSWERS[asked["params"]["arguments"]["x"]].replace("ID", json.dumps(asked["id"]))
    elif asked.get("method") in BEGINNING:
        answer = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": BEGINNING[asked["method"]]})
    else:
        answer = json.dumps({"jsonrpc": "2.0", "id": asked.get("id"), "error": {"code": -32601, "message": "unknown"}})
    if "id" in asked:
        print(answer, flush=True)
"""


@pytest.mark.process
async def test_over_stdio_as_well(tmp_path: Path):
    (tmp_path / "server.py").write_text(OVER_STDIO)
    answers = {name: body.decode() for name, body in {**DOUBTFUL, "fine": FINE, "refused": REFUSED}.items()}
    args = [str(tmp_path / "server.py"), json.dumps(BEGINNING), json.dumps(answers)]
    *doubtful, fine, refused = await asked(lambda: McpAddress(command=sys.executable, args=args), *answers)
    assert [getattr(one, "fault", one) for one in doubtful] == ["target"] * len(DOUBTFUL)
    assert isinstance(fine, AgentReply)
    assert isinstance(refused, AgentReply)
    assert (fine.text, refused.text) == ("fine", "not today")
