"""The process that rounds are forked from: its requests, its replies, and its end."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from vivavoce.cli.watching.rounds import Round, RoundOutcome

pytestmark = pytest.mark.process

AGENT = "import os\n\ndef reply(text):\n    return str(os.getpid())\n"


class Warm:
    """The other end of its pipes."""

    def __init__(self, process: "subprocess.Popen[bytes]", replies: int) -> None:
        self._process, self.replies = process, os.fdopen(replies)

    def send(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def round(self, **flags: Any) -> int:
        given = {"inputs": ["cases.jsonl"], "history": False, "outputs": ["out.jsonl"], **flags}
        self.send(msgspec.json.encode(Round(flags=given, command="viva test --watch", reply_to="outcome.json")))
        return int(self.replies.readline())

    def end(self) -> tuple[int, str]:
        assert self._process.stdin is not None
        self._process.stdin.close()
        code = self._process.wait(60)
        return code, self.replies.read()


@contextmanager
def warm() -> Iterator[Warm]:
    mine, theirs = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "vivavoce.cli.watching.warm_process", str(theirs)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[theirs],
    )
    os.close(theirs)
    made = Warm(process, mine)
    with process, made.replies:
        try:
            yield made
        finally:
            process.kill()


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("agents: {a: {python: agent.py:reply}}\nagent: a\n")
    Path("agent.py").write_text(AGENT)
    Path("cases.jsonl").write_text('{"id": "A", "input": "hi"}\n')


def answer() -> str:
    rows = map(json.loads, Path("out.jsonl").read_text().splitlines())
    return next(row["output"] for row in rows if row["type"] == "result")


def test_rounds_come_one_after_the_other_each_in_a_process_of_its_own():
    with warm() as process:
        assert process.round() == 0
        first = answer()
        assert process.round() == 0
        assert answer() != first
        assert process.end() == (0, "")


def test_viva_s_own_modules_are_loaded_after_a_round_and_the_user_s_never():
    with warm() as process:
        process.round()
        loaded = msgspec.json.decode(Path("outcome.json").read_bytes(), type=RoundOutcome).modules
        assert "vivavoce.engine.attempt.attempt" in loaded
        assert not any("agent_" in name and not name.startswith("vivavoce.") for name in loaded)
        Path("agent.py").write_text("def reply(text):\n    return 'edited'\n")
        process.round()
        assert answer() == "edited"


def test_what_is_wrong_with_a_round_is_its_exit_code_and_the_next_one_runs():
    with warm() as process:
        assert process.round(inputs=["nowhere.jsonl"]) == 2
        assert process.round() == 0


def test_a_stop_without_a_round_harms_nobody():
    with warm() as process:
        process.send(b'"stop"')
        process.send(b'"kill"')
        assert process.round() == 0
