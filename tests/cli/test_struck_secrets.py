"""A key that was said while recording is on no tape and in no recording, and a replay passes nothing by that."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import VivaProject

KEY = "hunter-two-5f3a9c"
PIECES = ("the key is hun", "ter-tw", "o-5f3a", "9c, bye")
AGENT = """
import json, os, sys, urllib.request
said = json.load(sys.stdin)["messages"][-1]["content"]
body = json.dumps({"model": "m", "stream": True, "messages": [{"role": "user", "content": said}]}).encode()
headers = {"Content-Type": "application/json"}
base = os.environ["OPENAI_BASE_URL"]
for line in urllib.request.urlopen(urllib.request.Request(base + "/chat/completions", body, headers)):
    if line.startswith(b"data: {"):
        print(json.loads(line[6:])["choices"][0]["delta"].get("content") or "", end="")
"""


def chat_events() -> list[dict[str, Any]]:
    ends = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    return [*({"choices": [{"index": 0, "delta": {"content": piece}}]} for piece in PIECES), ends]


def ag_ui_events() -> list[dict[str, Any]]:
    run = {"threadId": "t", "runId": "r"}
    return [
        {"type": "RUN_STARTED", **run},
        {"type": "TEXT_MESSAGE_START", "messageId": "m1", "role": "assistant"},
        *({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": piece} for piece in PIECES),
        {"type": "TEXT_MESSAGE_END", "messageId": "m1"},
        {"type": "RUN_FINISHED", **run},
    ]


class Talkative(BaseHTTPRequestHandler):
    """Says the key, in pieces where it is asked for a stream."""

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002 - the base class calls it so

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        events = ag_ui_events() if "threadId" in asked else chat_events()
        if "threadId" in asked or asked.get("stream"):
            kind, body = "text/event-stream", b"".join(b"data: " + json.dumps(e).encode() + b"\n\n" for e in events)
        else:
            message = {"role": "assistant", "content": "".join(PIECES)}
            kind, body = "application/json", json.dumps({"choices": [{"index": 0, "message": message}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Talkative)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def agents(address: str) -> dict[str, dict[str, Any]]:
    proxy = {"upstream": {"openai": address}}
    return {
        "behind_the_proxy": {"cmd": [sys.executable, "talker.py"], "model_proxy": proxy},
        "endpoint": {"openai": f"{address}/v1", "model": "m"},
        "app": {"agui": f"{address}/agui"},
    }


def files_in(folder: Path) -> str:
    return "".join(path.read_text() for path in sorted(folder.rglob("*")) if path.is_file())


NOT_KEY = {"id": "told", "input": "hi", "assertions": [{"type": "not_contains", "value": KEY}]}
POLITE = {"id": "polite", "input": "hi", "assertions": [{"type": "contains", "value": "bye"}]}


@pytest.mark.parametrize("agent", ["behind_the_proxy", "endpoint", "app"])
def test_a_check_that_failed_on_a_key_does_not_pass_on_what_was_kept(
    project: VivaProject, address: str, agent: str
) -> None:
    (project.root / "talker.py").write_text(AGENT)
    config = {"agents": {agent: agents(address)[agent]}, "agent": agent, "variables": {"key": "${ENV.SHOP_KEY}"}}
    (project.root / "viva.yaml").write_text(json.dumps(config))
    project.cases(NOT_KEY, POLITE)
    environment = {"SHOP_KEY": KEY, "OPENAI_API_KEY": "sk-other-0123456789abcdef"}
    is_app = agent == "app"
    first = (
        ["record", "-i", "cases.jsonl", "-o", "kept"] if is_app else ["test", "-i", "cases.jsonl", "--record", "kept"]
    )
    live = project.viva(*first, **environment)
    assert live.code == 1, live.text
    assert KEY not in files_in(project.root / "kept")
    for piece in PIECES[1:3]:
        assert f'"{piece}"' not in files_in(project.root / "kept")
    again = ["-n", "replay:kept?timing=none"] if is_app else ["--replay", "kept", "--replay-only"]
    for known in (environment, {**environment, "SHOP_KEY": ""}):
        replayed = project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", *again, **known)
        assert replayed.code == 1, replayed.text
        assert project.statuses() == {"told": "error", "polite": "passed"}, replayed.text
        assert "a secret was said here" in replayed.text
