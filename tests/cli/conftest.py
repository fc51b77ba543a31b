"""A small project in a temporary folder, and the real `viva` process in it."""

import json
import re
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.commands import VIVA, environment, run_viva


@pytest.fixture(autouse=True, scope="session")
def _hang_ups_are_heard():
    """Under `nohup` a hang-up is ignored, by every child process too."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


AGENT = """
import asyncio, os, time

async def echo(messages, context):
    text = messages[-1]["content"]
    if text == "hang":
        await asyncio.sleep(600)
    if text == "hang hard":
        time.sleep(600)
    if text == "raise":
        raise ValueError("boom")
    if text == "print":
        print("printed by the agent")
    if text == "bytes":
        return b"caf\\xc3\\xa9"
    if text == "bad bytes":
        return b"\\xff\\xfe"
    if text == "nan":
        return {"score": float("nan")}
    if text == "huge":
        return "x" * 50_000_000
    if text == "tool":
        return {"content": "done", "tool_calls": [{"name": "charge_card", "args": {"amount": 5}, "result": "ok"}]}
    if text.startswith("slow"):
        await asyncio.sleep(0.3)
    return f"echo: {text}"

def blocking(messages):
    if messages[-1]["content"] == "hang":
        time.sleep(600)
    return "echo: " + messages[-1]["content"]
"""


@dataclass
class Done:
    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        return self.out + self.err

    @property
    def counts(self) -> dict[str, int]:
        """The console's summary."""
        return {name: int(number) for name, number in re.findall(r"^  (\w+): +(\d+)", self.out, re.MULTILINE)}


class VivaProject:
    """A folder with an agent in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("agent.py", AGENT)
        self.write(
            "viva.yaml",
            "agents:\n  echo: {python: agent.py:echo}\n  blocking: {python: agent.py:blocking}\nagent: echo\n",
        )

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def cases(self, *cases: dict[str, Any], name: str = "cases.jsonl") -> Path:
        return self.write(name, "".join(json.dumps(case) + "\n" for case in cases))

    def viva(
        self, *arguments: str, below: str = ".", stdin: str | None = None, timeout: float = 120, **env: str
    ) -> Done:
        """Runs the real command to its end, in the project's root or a folder below it."""
        done = run_viva(arguments, cwd=self.root / below, env=self.environment(**env), stdin=stdin, timeout=timeout)
        assert "Traceback" not in done.stderr, done.stderr
        return Done(done.returncode, done.stdout, done.stderr)

    def start(self, *arguments: str, **env: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [str(VIVA), *arguments],
            cwd=self.root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment(**env),
        )

    def rows(self, name: str = "out.jsonl") -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.root / name).read_text().splitlines()]

    def statuses(self, name: str = "out.jsonl") -> dict[str, str]:
        return {row["id"]: row["status"] for row in self.rows(name) if row["type"] == "result"}

    @staticmethod
    def environment(**extra: str) -> dict[str, str]:
        return environment(**extra)


@pytest.fixture
def project(tmp_path: Path) -> VivaProject:
    return VivaProject(tmp_path)
