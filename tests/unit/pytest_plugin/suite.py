"""A folder of tests and the real pytest in it."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.fakes.commands import PYTEST

AGENT = """
import asyncio, itertools

async def echo(messages):
    text = messages[-1]["content"]
    if text == "raise":
        raise ValueError("boom")
    if text == "print":
        print("printed by the agent")
    if text == "tool":
        return {"content": "done", "tool_calls": [{"name": "charge_card", "args": {"amount": 5}, "result": "ok"}]}
    return f"{len(messages)}: {text}"

def other(text):
    return f"other: {text}"

turn = itertools.count(1)

def every_fourth_bad(text):
    return "bad" if next(turn) % 4 == 0 else "good"

class Remembers:
    def __init__(self):
        self.heard = 0
    def __call__(self, text):
        self.heard += 1
        return str(self.heard)
"""
CONFIG = """
agents:
  echo: {python: agent.py:echo}
  other: {python: agent.py:other}
  flaky: {python: agent.py:every_fourth_bad}
agent: echo
"""
INI = """
[pytest]
asyncio_mode = auto
asyncio_default_fixture_loop_scope = function
"""
CASES = """\
{"id": "ok", "input": "x", "assert": {"type": "contains", "value": "x"}, "tags": ["fast", "needs-tools"]}
{"id": "wrong", "input": "x", "assert": {"type": "contains", "value": "refund"}, "tags": ["fast", "skip"]}
{"id": "raises", "input": "raise"}
{"id": "later", "input": "raise", "skip": "not yet"}
{"id": "asks", "type": "multi_turn", "input": "how are you?"}
{"id": "steady", "agent": "flaky", "input": "x", "runs": 4, "min_pass": 3, "expected": "good"}
{"id": "shaky", "agent": "flaky", "input": "x", "runs": 4, "expected": "good"}
"""


@dataclass
class Done:
    code: int
    out: str

    @property
    def outcomes(self) -> dict[str, str]:
        """What `-v` said of each item."""
        return dict(re.findall(r"^(\S+::.+?) (PASSED|FAILED|SKIPPED|ERROR)(?= )", self.out, re.MULTILINE))

    @property
    def last(self) -> str:
        return self.out.strip().splitlines()[-1]


class Suite:
    """A folder of tests and the real pytest in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.write("agent.py", AGENT)
        self.write("viva.yaml", CONFIG)
        self.write("pytest.ini", INI)

    def write(self, name: str, content: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return path

    def pytest(self, *arguments: str, folder: str = ".", **variables: str) -> Done:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("VIVA_", "PYTEST_", "GITHUB_", "CI"))}
        done = subprocess.run(
            [*PYTEST, "-W", "error", *arguments],
            cwd=self.root / folder,
            capture_output=True,
            text=True,
            timeout=100,
            env={**kept, "COLUMNS": "110", **variables},
        )
        assert "INTERNALERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
        return Done(done.returncode, done.stdout + done.stderr)
