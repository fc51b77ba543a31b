"""Faults at the models of a black box, with the real `viva` process and an agent that only prints text."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.commands import environment, run_viva
from tests.fakes.model_provider import DONE, ModelProvider

AGENT = """
import json, os, sys, urllib.error, urllib.request
talk = [{"role": m["role"], "content": m["content"]} for m in json.load(sys.stdin)["messages"]]
tools = [{"type": "function", "function": {"name": n, "parameters": {}}} for n in ("find_order", "refund")]
def ask():
    body = json.dumps({"model": "fake-1", "messages": talk, "tools": tools}).encode()
    request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body)
    return json.load(urllib.request.urlopen(request))["choices"][0]["message"]
while True:
    try:
        answer = ask()
    except urllib.error.HTTPError as error:
        if error.code != 429 or "RETRY" not in os.environ:
            print("Sorry, my model fails:", json.load(error)["error"]["message"])
            break
        continue
    if not answer.get("tool_calls"):
        print(answer["content"] or answer.get("refusal"))
        break
    talk.append(answer)
    talk += [{"role": "tool", "tool_call_id": call["id"], "content": "{}"} for call in answer["tool_calls"]]
"""
ONCE = {"tools": {"require": [{"name": "refund", "count": {"exact": 1}}]}}
CASE = {"id": "refund", "input": "Please refund order A-17", "assert": [{"type": "contains", "value": DONE}, ONCE]}


class Shop:
    def __init__(self, folder: Path, provider: ModelProvider) -> None:
        self.folder = folder
        self.provider = provider
        (folder / "agent.py").write_text(AGENT)
        (folder / "cases.jsonl").write_text(json.dumps(CASE))
        self.configure(model_proxy={"openai": provider.url})

    def configure(self, **fields: Any) -> None:
        agent = {"cmd": [sys.executable, "agent.py"], **fields}
        (self.folder / "viva.yaml").write_text(json.dumps({"agents": {"shop": agent}, "agent": "shop"}))

    def run(self, *flags: str, **variables: str) -> tuple[int, str, dict[str, Any]]:
        done = run_viva(
            ["test", "-i", "cases.jsonl", "-o", "out.jsonl", "--no-history", *flags],
            cwd=self.folder,
            env=environment(**{"NO_COLOR": "1", "COLUMNS": "300"} | variables),
        )
        out = self.folder / "out.jsonl"
        rows = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
        row = next((row for row in rows if row.get("id") == "refund"), {})
        return done.returncode, " ".join((done.stdout + done.stderr).split()), row


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with ModelProvider() as provider:
        yield Shop(tmp_path, provider)


def test_a_busy_model_finds_out_who_asks_again(shop: Shop):
    code, told, row = shop.run("--fault", "model:429@2", RETRY="1")
    assert (code, row["status"]) == (0, "passed"), told
    assert "fault model:429@2 struck at model call 2" in told
    code, told, row = shop.run("--fault", "model:429@2")
    assert (code, row["status"]) == (1, "failed")
    assert "Sorry, my model fails: Rate limit reached" in told


def test_a_refusal_is_heard_and_no_tool_ran(shop: Shop):
    code, told, row = shop.run("--fault", "model:refusal")
    assert (code, row["status"]) == (1, "failed")
    assert "I'm sorry, but I can't help with that." in told
    assert "refund" in told


def test_a_fault_that_never_struck_is_an_error_of_the_test(shop: Shop):
    code, told, row = shop.run("--fault", "model:429@9")
    assert (code, row["status"], row["fault"]) == (1, "error", "test")
    assert "fault model:429@9 never happened: 3 model calls" in told


def test_without_a_proxy_the_fault_is_refused_and_the_way_out_is_told(shop: Shop):
    shop.configure()
    code, told, _ = shop.run("--fault", "model:429")
    assert code == 2
    assert "can never strike" in told
    assert "model_proxy: true" in told


def test_faults_strike_in_a_replay_too_and_leave_the_tape_as_it_is(shop: Shop):
    assert shop.run("--record", "tapes")[0] == 0
    asked, tape = len(shop.provider.requests), next((shop.folder / "tapes").iterdir()).read_bytes()
    code, told, row = shop.run("--replay", "tapes", "--replay-only", "--fault", "model:429@3", RETRY="1")
    assert (code, row["status"]) == (0, "passed"), told
    assert len(shop.provider.requests) == asked
    assert next((shop.folder / "tapes").iterdir()).read_bytes() == tape
