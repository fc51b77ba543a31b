"""A recorded run for tests of the commands that look at it: one case passes, one fails, one is judged."""

import json
from pathlib import Path
from typing import Any

from click import Command
from click.testing import CliRunner, Result

import vivavoce

AGENT = """
import json


def clerk(messages):
    said = [message["content"] for message in messages if message["role"] == "user"]
    if "pay" in said[-1]:
        call = {"name": "pay", "args": {"amount": 5}, "result": "ok"}
        return {"content": "Paid 5 EUR.", "tool_calls": [call]}
    both = "coupon" in " ".join(said) and "refund" in said[-1]
    return {"content": "You get 900 EUR." if both else "Fine.", "tool_calls": []}


def judge(text):
    return json.dumps({"passed": True, "score": 0.9, "reason": "so"})
"""
CONFIG = "agents:\n  clerk: {python: agent.py:clerk}\n  judge: {python: agent.py:judge}\nagent: clerk\ntests: tests\n"
PAYS: dict[str, Any] = {"id": "pays", "input": "pay 5", "assert": [{"type": "tool_called", "value": "pay"}]}
TALKS: dict[str, Any] = {
    "id": "talks",
    "turns": [
        *({"input": line} for line in ("Hello.", "A coupon. It is blue.", "Nice.")),
        {"input": "A refund, please.", "assertions": [{"type": "not_contains", "value": "900"}]},
    ],
}
JUDGED: dict[str, Any] = {"id": "judged", "input": "hi", "assert": {"type": "agent", "use": "judge", "value": "kind"}}
RUN = "out.jsonl"


def write_cases(*cases: dict[str, Any]) -> None:
    Path("tests").mkdir(exist_ok=True)
    Path("tests/cases.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in cases))


def record(*cases: dict[str, Any]) -> None:
    """Writes the project into the current folder and runs it once, into out.jsonl."""
    Path("agent.py").write_text(AGENT)
    Path("viva.yaml").write_text(CONFIG)
    write_cases(*(cases or (PAYS, TALKS, JUDGED)))
    vivavoce.run(outputs=RUN, history=False)


def cut(run: str = RUN) -> str:
    """A copy of a result file whose last result was lost in the middle, as when a process is killed."""
    lines = Path(run).read_bytes().splitlines(keepends=True)
    results = [at for at, line in enumerate(lines) if b'"type":"result"' in line]
    Path("cut.jsonl").write_bytes(b"".join(lines[: results[-1]]) + lines[results[-1]][:40])
    return "cut.jsonl"


def invoked(command: Command, *arguments: str) -> Result:
    """A command as `viva` calls it; its exit code is `return_value`, and errors for people are raised."""
    return CliRunner().invoke(command, list(arguments), standalone_mode=False, catch_exceptions=False)
