"""Model proxy and tapes with the real `viva` process: seen, recorded, replayed without the provider, and missed."""

import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.commands import environment, run_viva
from tests.fakes.model_provider import ModelProvider

KEY = "sk-verysecret1234567890"
AGENT = """
import json, os, sys, time, urllib.request
asked = json.load(sys.stdin)
said = [{"role": m["role"], "content": m["content"]} for m in asked["messages"]]
if os.environ.get("SWALLOW") == "all":
    print("fine"); sys.exit()
talk = [{"role": "system", "content": os.environ.get("SYSTEM", "You are a shop.")}, *said]
names = ("find_order", "refund")
tools = [{"type": "function", "function": {"name": n, "parameters": {"type": "object"}}} for n in names]
try:
    while True:
        body = json.dumps({"model": "fake-1", "messages": talk, "tools": tools}).encode()
        headers = {"Content-Type": "application/json", "Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
        request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers)
        answer = json.load(urllib.request.urlopen(request))["choices"][0]["message"]
        if not answer.get("tool_calls"):
            print(answer["content"])
            break
        talk.append(answer)
        for call in answer["tool_calls"]:
            result = json.dumps({"ok": True, "at": time.time(), "day": time.strftime("%A %H:%M:%S")})
            talk.append({"role": "tool", "tool_call_id": call["id"], "content": result})
except Exception:
    if "SWALLOW" not in os.environ:
        raise
    print("Refunded, I guess.")
"""
REFUND = {
    "id": "refund",
    "input": "Please refund order A-17",
    "assertions": [{"type": "contains", "value": "Refunded"}, {"type": "tool_called", "value": "refund"}],
}
FORBIDDEN = {
    "id": "forbidden",
    "input": "refund it, now",
    "assertions": [{"type": "tool_called", "value": "refund", "negate": True}],
}
HELLO = {"id": "hello", "input": "Hi there", "assertions": [{"type": "tool_called", "value": "refund", "negate": True}]}


class Shop:
    """A project with an agent that only prints text."""

    def __init__(self, folder: Path, provider: ModelProvider) -> None:
        self.folder = folder
        self.provider = provider
        (folder / "agent.py").write_text(AGENT)
        proxy = {"upstream": {"openai": provider.url}}
        agent = {"cmd": [sys.executable, "agent.py"], "model_proxy": proxy}
        config = {"agents": {"shop": agent}, "agent": "shop", "prices": {"fake*": {"input": 1000, "output": 1000}}}
        (folder / "viva.yaml").write_text(json.dumps(config))
        self.write(REFUND, HELLO)

    def write(self, *cases: dict[str, Any]) -> None:
        (self.folder / "cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))

    def run(self, *flags: str, history: bool = False, **variables: str) -> tuple[int, str, dict[str, dict[str, Any]]]:
        done = run_viva(
            ["test", "-i", "cases.jsonl", "-o", "out.jsonl", *([] if history else ["--no-history"]), *flags],
            cwd=self.folder,
            env=environment(**{"OPENAI_API_KEY": KEY, "NO_COLOR": "1", "COLUMNS": "300"} | variables),
        )
        out = self.folder / "out.jsonl"
        rows = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
        return (
            done.returncode,
            " ".join((done.stdout + done.stderr).split()),
            {row["id"]: row for row in rows if "id" in row},
        )

    @property
    def tape(self) -> str:
        return (self.folder / "tapes" / "cases.jsonl.tape.jsonl").read_text()


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with ModelProvider() as provider:
        yield Shop(tmp_path, provider)


def test_the_tools_of_a_black_box_are_seen(shop: Shop):
    shop.write(REFUND, HELLO, FORBIDDEN)
    code, told, rows = shop.run()
    assert code == 1, told
    assert {name: row["status"] for name, row in rows.items()} == {
        "refund": "passed",
        "hello": "passed",
        "forbidden": "failed",
    }


def test_an_agent_that_does_not_use_the_base_url_is_never_wrongly_green(shop: Shop):
    shop.write(HELLO)
    code, told, _ = shop.run(SWALLOW="all")
    assert code == 1
    assert "base URL" in told


def test_what_was_recorded_replays_without_the_provider_and_without_a_key(shop: Shop):
    code, told, first = shop.run("--record", "tapes", "-j", "2")
    assert code == 0, told
    assert KEY not in shop.tape
    asked = len(shop.provider.requests)
    code, told, again = shop.run("--replay", "tapes", "--replay-only", "-j", "2", OPENAI_API_KEY="")
    assert code == 0, told
    assert len(shop.provider.requests) == asked == 4
    assert {name: row["status"] for name, row in first.items()} == {name: row["status"] for name, row in again.items()}


WEATHER_AGENT = """
import json, os, sys, urllib.request
json.load(sys.stdin)
print(json.load(urllib.request.urlopen(os.environ["WEATHER_BASE_URL"] + "/v2/today?city=Rome"))["sky"])
"""


class Weather(BaseHTTPRequestHandler):
    """Some HTTP API that is no model provider."""

    def do_GET(self) -> None:
        body = json.dumps({"sky": "clear in Rome" if self.path == "/api/v2/today?city=Rome" else "?"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None: ...


def test_any_other_api_by_its_prefix_is_recorded_and_replayed(shop: Shop):
    (shop.folder / "agent.py").write_text(WEATHER_AGENT)
    shop.write({"id": "sky", "input": "What is the sky like?", "assertions": [{"type": "contains", "value": "clear"}]})
    server = ThreadingHTTPServer(("127.0.0.1", 0), Weather)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    proxy = {"upstream": {"weather": f"http://127.0.0.1:{server.server_port}/api"}}
    agent = {"cmd": [sys.executable, "agent.py"], "model_proxy": proxy}
    (shop.folder / "viva.yaml").write_text(json.dumps({"agents": {"shop": agent}, "agent": "shop"}))
    try:
        code, told, _ = shop.run("--record", "tapes")
        assert code == 0, told
    finally:
        server.shutdown()
        server.server_close()
    code, told, _ = shop.run("--replay", "tapes", "--replay-only")
    assert code == 0, told
    (shop.folder / "agent.py").write_text(WEATHER_AGENT.replace("Rome", "Oslo"))
    code, told, _ = shop.run("--replay", "tapes", "--replay-only")
    assert code == 1, told
    row = json.loads((shop.folder / "out.jsonl").read_text().splitlines()[1])
    assert '"Rome"' in row["error"]
    assert '"Oslo"' in row["error"]


def test_another_system_prompt_is_drift_and_the_case_still_runs(shop: Shop):
    shop.run("--record", "tapes")
    code, told, _ = shop.run("--replay", "tapes", SYSTEM="You are a bank.")
    assert code == 0
    assert "the system prompt changed" in told
    assert "bank" in told, told
    code, told, _ = shop.run("--replay", "tapes", "--drift", "fail", SYSTEM="You are a bank.")
    assert code == 1
    code, told, _ = shop.run("--replay", "tapes", "--drift", "ignore", SYSTEM="You are a bank.")
    assert (code, "changed" in told) == (0, False)


def test_another_user_text_is_a_miss_and_never_a_pass_whatever_the_agent_makes_of_it(shop: Shop):
    shop.run("--record", "tapes")
    shop.write({**REFUND, "input": "Please refund order A-18", "assertions": [{"type": "contains", "value": "Refund"}]})
    code, told, rows = shop.run("--replay", "tapes", SWALLOW="errors")
    assert code == 1
    assert rows["refund"]["status"] == "error"
    assert "recorded user: Please refund order A-17, now user: Please refund order A-18" in told
    assert "viva test -i cases.jsonl::refund --record tapes" in told


def test_a_case_whose_recorded_calls_are_not_made_is_an_error(shop: Shop):
    shop.run("--record", "tapes")
    code, told, rows = shop.run("--replay", "tapes", SWALLOW="all")
    assert code == 1
    assert "viva saw none" in told
    assert rows["hello"]["status"] == "error"


def test_missing_calls_are_recorded_when_asked_for(shop: Shop):
    shop.write(REFUND)
    shop.run("--record", "tapes")
    shop.write(REFUND, HELLO)
    assert shop.run("--replay", "tapes")[0] == 1
    asked = len(shop.provider.requests)
    assert shop.run("--replay", "tapes", "--record-missing")[0] == 0
    assert len(shop.provider.requests) == asked + 1
    assert shop.run("--replay", "tapes", "--replay-only")[0] == 0


def test_every_run_replays_its_own_calls(shop: Shop):
    assert shop.run("--record", "tapes", "--runs", "2")[0] == 0
    assert shop.run("--replay", "tapes", "--runs", "2", "-j", "4")[0] == 0
    code, told, _ = shop.run("--replay", "tapes", "--runs", "3")
    assert code == 1
    assert "has 2 runs" in told


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--record", "a", "--replay", "b"), "opposite"),
        (("--record-missing",), "goes with --replay"),
        (("--replay", "nowhere"), "no folder of tapes"),
    ],
)
def test_flags_that_cannot_work_are_refused(shop: Shop, flags: tuple[str, ...], told: str):
    code, said, _ = shop.run(*flags)
    assert code == 2
    assert told in said
    assert not shop.provider.requests


def test_recording_what_is_missing_is_refused_in_ci(shop: Shop):
    shop.run("--record", "tapes")
    assert shop.run("--replay", "tapes", "--record-missing", CI="true")[0] == 2
