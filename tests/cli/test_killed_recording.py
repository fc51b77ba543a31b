"""`kill -9` in the middle of a recording: what was recorded is there, and replays."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.test_tapes import AGENT, HELLO, KEY, REFUND, Shop
from tests.fakes.commands import VIVA
from tests.fakes.model_provider import ModelProvider

from vivavoce.sight.tapes.tape_reading import read_tape

pytestmark = pytest.mark.kill

PATIENCE_S = 120.0
HANG = """
parent = os.getppid()
while "HANG" in json.dumps(talk) and "MAY_HANG" in os.environ and os.getppid() == parent:
    time.sleep(0.1)
"""
HANGS = {"id": "hangs", "input": "Hi, HANG"}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    with ModelProvider() as provider:
        made = Shop(tmp_path, provider)
        (tmp_path / "agent.py").write_text(AGENT + HANG)
        made.write(REFUND, HANGS, HELLO)
        yield made


def calls_on(path: Path) -> list[str]:
    if not path.exists():
        return []
    return [entry.case for entry in read_tape(path).entries()]


def test_a_killed_recording_keeps_every_call_that_was_answered(shop: Shop):
    tape = shop.folder / "tapes" / "cases.jsonl.tape.jsonl"
    recording = subprocess.Popen(
        [VIVA, "test", "-i", "cases.jsonl", "-o", "out.jsonl", "--no-history", "--record", "tapes", "-j", "1"],
        cwd=shop.folder,
        env={**os.environ, "OPENAI_API_KEY": KEY, "MAY_HANG": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + PATIENCE_S
        while "hangs" not in calls_on(tape) and time.monotonic() < until:
            time.sleep(0.05)
    finally:
        recording.kill()
        recording.wait()
    assert calls_on(tape) == ["refund", "refund", "refund", "hangs"]
    assert KEY not in tape.read_text()

    code, told, rows = shop.run("--replay", "tapes", "--replay-only")
    assert {name: row["status"] for name, row in rows.items()} == {
        "refund": "passed",
        "hangs": "passed",
        "hello": "error",
    }, told
    assert code == 1
    assert "case 'hello' is not on the tape" in told or "nothing of case 'hello'" in told

    code, told, _ = shop.run("--replay", "tapes", "--record-missing")
    assert code == 0, told
    assert calls_on(tape) == ["hangs", "hello", "refund", "refund", "refund"]
