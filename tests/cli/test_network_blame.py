"""Networks and servers that fail in every usual way, before all agents, judges and simulators called by HTTP.

The one who was called gets the blame, and the message says what happened.
"""

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from tests.cli.conftest import VivaProject

STATUSES = {"unknown": 401, "forbidden": 403, "missing": 404, "hurried": 429, "broken": 500}
"""The words are in the addresses, so that a number in a message is the server's."""
PAGE = b"<!doctype html><html><body><h1>It works</h1></body></html>"


class _Server(BaseHTTPRequestHandler):
    """`/status/missing/html/…` answers 404; `/page/…` is a web page, `/closed/…` ends without an answer."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        what, *more = self.path.strip("/").split("/")
        if what == "closed":
            self.close_connection = True
            return
        if what not in ("page", "status"):  # where agent cards are looked for
            what, more = "status", ["missing", "json"]
        is_page = what == "page" or more[1] == "html"
        body = PAGE if is_page else b'{"error": {"message": "refused by the test"}}'
        self.send_response(200 if what == "page" else STATUSES[more[0]])
        self.send_header("Content-Type", "text/html" if is_page else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.do_POST()

    def do_DELETE(self) -> None:
        self.do_POST()

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def port() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Server)
    server.block_on_close = False
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def _troubles(port: int) -> dict[str, tuple[str, str]]:
    """Addresses, and a pattern of what the error says."""
    at = f"http://127.0.0.1:{port}"
    known = {
        "refused": ("http://127.0.0.1:9/x", r"127\.0\.0\.1:9"),
        "no such name": ("http://no-such-host.invalid/x", r"no-such-host\.invalid"),
        "no TLS there": (f"https://127.0.0.1:{port}/x", r"(?i)\bssl|\btls"),
        "a web page": (f"{at}/page/x/html", r"(?i)web page|html|json"),
        "hangs up": (f"{at}/closed/x/json", r"(?i)closed|broke|gave no answer|disconnect|ended|lost|hung up"),
    }
    for word, status in STATUSES.items():
        known[f"{status} json"] = (f"{at}/status/{word}/json", str(status))
    known["404 html"] = (f"{at}/status/missing/html", "404")
    return known


def _agents(url: str) -> dict[str, dict[str, Any]]:
    return {
        "openai": {"openai": url, "model": "m", "key": "none"},
        "streamed": {"openai": url, "model": "m", "key": "none", "stream": True},
        "responses": {"openai-responses": url, "model": "m", "key": "none"},
        "anthropic": {"anthropic": url, "model": "m", "key": "none"},
        "agui": {"agui": url},
        "a2a": {"a2a": url},
        "http": {"http": {"url": url, "body": {"q": "{{ message }}"}, "reply": "$.answer"}},
        "mcp": {"mcp": {"url": url}},
    }


AGENT = "def reply(text: str):\n    return 'Is that fine?'\n"
FINE = {"type": "contains", "value": "fine"}


def test_who_was_called_gets_the_blame_whatever_the_network_does(project: VivaProject, port: int):
    troubles = _troubles(port)
    agents: dict[str, Any] = {"good": {"python": "agent.py:reply"}}
    cases: list[dict[str, Any]] = []
    wanted: dict[str, tuple[str, str]] = {}
    for trouble, (url, says) in troubles.items():
        for kind, agent in _agents(url).items():
            name = re.sub(r"\W", "-", f"{kind}-{trouble}")
            agents[name] = agent
            said: Any = {"list": "tools"} if kind == "mcp" else "hi"
            cases.append({"id": f"target {name}", "agent": name, "input": said, "assert": FINE})
            wanted[f"target {name}"] = ("target", says)
            if kind == "mcp":
                continue
            judge = {"type": "agent", "use": f"agents:{name}", "value": "it is fine"}
            cases.append({"id": f"judge {name}", "agent": "good", "input": "hi", "assert": judge})
            wanted[f"judge {name}"] = ("judge", says)
            simulated = {"simulator": {"use": f"agents:{name}"}, "max_turns": 3, "assert": FINE}
            cases.append({"id": f"simulator {name}", "agent": "good", "input": "hi", **simulated})
            wanted[f"simulator {name}"] = ("simulator", says)
    project.write("agent.py", AGENT)
    project.write("viva.yaml", json.dumps({"agents": agents, "agent": "good"}))
    project.cases(*cases)
    done = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "-j", "8", timeout=400)
    rows = {row["id"]: row for row in project.rows() if row["type"] == "result"}
    assert rows.keys() == wanted.keys(), done.text[-2000:]
    wrong: list[str] = []
    for name, (fault, says) in wanted.items():
        row = rows[name]
        told = json.dumps([row.get("error"), row.get("verdicts"), row.get("checks"), row.get("assertions")])
        told = told.replace(str(port), "PORT")
        if row["status"] in ("passed", "skipped") or row.get("fault") != fault or not re.search(says, told):
            wrong.append(f"{name}: {row['status']} {row.get('fault')}, wanted {fault} {says}: {row.get('error')}")
    assert not wrong, f"{len(wrong)} of {len(wanted)}:\n" + "\n".join(wrong)
