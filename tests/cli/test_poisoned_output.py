"""Every command, given names and texts that would act on a terminal: nothing of that reaches the screen."""

import json
import re

import pytest
from tests.cli.conftest import VivaProject

from vivavoce.cli.help_page import COMMANDS as ALL_COMMANDS
from vivavoce.wording.unsafe_characters import UNSAFE

POISON = "x\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u200b::stop-commands::y"
AGENT = f"""
POISON = {POISON!r}

def reply(text: str):
    \"\"\"Says what hurts.\"\"\"
    if text == "raise":
        raise ValueError(POISON)
    print(POISON)
    return {{"content": POISON, "tool_calls": [{{"name": POISON, "args": {{POISON: POISON}}, "result": POISON}}]}}
"""
SCRIPT = f"def main(*args):\n    raise ValueError({POISON!r})\n"


@pytest.fixture
def poisoned(project: VivaProject) -> VivaProject:
    project.write("poison.py", AGENT)
    project.write("scripts/hook.py", SCRIPT)
    entry = {"python": "poison.py:reply", "description": POISON}
    project.write("viva.yaml", json.dumps({"agents": {"bad": entry, "worse": entry}, "agent": "bad"}))
    judged = [
        {"type": "contains", "value": POISON + "z", "message": POISON},
        {"type": "equals", "value": {"a": POISON}},
    ]
    project.cases(
        {"id": POISON, "name": POISON, "tags": [POISON], "input": POISON + " hello", "assert": judged},
        {"id": "raises", "input": "raise"},
        {"id": "skipped", "input": "hello there", "skip": POISON},
    )
    return project


COMMANDS: list[list[str]] = [
    ["list", "-i", "cases.jsonl"],
    ["test", "-i", "cases.jsonl", "--dry-run"],
    ["test", "-i", "cases.jsonl", "-o", "again.jsonl"],
    ["test", "-i", "cases.jsonl", "-v", "-o", "again.jsonl"],
    ["test", "-i", "cases.jsonl", "-r", "report.summary"],
    ["test", "-i", "cases.jsonl", "--before", "scripts:hook"],
    ["test", "-i", "cases.jsonl", "--after", "scripts:hook"],
    ["test", "-i", POISON],
    ["test", "-i", "cases.jsonl", "-n", POISON],
    ["test", "-i", "cases.jsonl", "--run", "(" + POISON],
    ["test", "-i", "cases.jsonl", "-o", f"{POISON}/x.nonsense"],
    ["test", "-i", f"cases.jsonl::{POISON}zz"],
    ["test", f"--{POISON}"],
    [POISON],
    ["validate", "-i", "cases.jsonl"],
    ["validate", "-i", "bad.jsonl"],
    ["agents"],
    ["history"],
    ["diff", "out.jsonl", "out.jsonl", "--replies"],
    ["diff", POISON, POISON],
    ["report", "out.jsonl", "-o", "x.md"],
    ["report", POISON, "-o", "x.md"],
    ["merge", "out.jsonl", POISON, "-o", "m.jsonl"],
    ["extract", "out.jsonl", "-o", "extracted"],
    ["freeze", f"out.jsonl::{POISON}"],
    ["history", "--case", POISON],
    ["history", "import", POISON],
    ["show", "out.jsonl", "-v"],
    ["show", "out.jsonl", "--format", "agent"],
    ["show", f"out.jsonl::{POISON}"],
    ["rejudge", "out.jsonl", "-i", "cases.jsonl", "-v"],
    ["rejudge", f"out.jsonl::{POISON}z", "-i", "cases.jsonl"],
    ["coverage", "out.jsonl", "-i", "cases.jsonl"],
    ["mutate", "out.jsonl", "-i", "cases.jsonl"],
    ["flaky"],
    ["baseline", "set", "main", "out.jsonl"],
    ["baseline", "show", "main"],
    ["baseline", "set", POISON, "out.jsonl"],
    ["test", "-i", "cases.jsonl", "--baseline", "main", "--title", POISON],
    ["compare", "-i", "cases.jsonl", "-n", "bad", "-n", "worse"],
    ["shrink", f"out.jsonl::{POISON}", "-i", "cases.jsonl", "-o", "small.jsonl", "--candidates", "3"],
    ["fuzz", "-i", "cases.jsonl", "--variants", "3", "--candidates", "1"],
    ["snapshots", "cases.jsonl"],
    ["snapshots", POISON],
    ["label", "out.jsonl", "--set", f"{POISON}=fail", "--note", POISON],
    ["calibrate", "out.jsonl", "-i", "cases.jsonl"],
    ["tape", "check", POISON],
    ["tape", "diff", POISON, POISON],
    ["test", "-i", "cases.jsonl", "--record", "tapes", "--fault", f"model:{POISON}"],
    ["import", "promptfoo", POISON],
    ["record", "-i", "cases.jsonl", "-o", "recorded"],
    ["record", "-i", POISON, "-o", POISON],
    ["chat", "-n", POISON],
    ["view", POISON],
    ["init", "x" * 300 + POISON],
    ["mcp-mock", "--mocks", POISON],
    ["mcp-mock", "--replay", POISON],
    ["schema", POISON],
    ["completion", POISON],
    ["plugins", "--config", POISON],
    ["demo", POISON],
    ["mcp", POISON],
]


def test_no_command_is_left_out():
    assert set(ALL_COMMANDS) == {words[0] for words in COMMANDS} - {POISON}


def test_no_command_lets_a_raw_sequence_through(poisoned: VivaProject):
    poisoned.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    poisoned.write("bad.jsonl", json.dumps({"id": "one", "input": "hi there", POISON: 1}) + "\n")
    for command in COMMANDS:
        done = poisoned.viva(*command, GITHUB_ACTIONS="true")
        found = re.search(UNSAFE, done.text.replace("\t", " "))
        assert found is None, (command, done.text[max(found.start() - 60, 0) : found.end() + 60])
        assert "Traceback" not in done.text, (command, done.text)
        # The hooks raise; whatever else is written is the fault of whoever wrote it.
        assert done.code in (0, 1, 2) or "scripts:hook" in command, (command, done.text)
        lines = [line.strip() for line in done.text.splitlines()]
        commands = [line for line in lines if line.startswith("::") and not line.startswith(("::error ", "::notice "))]
        assert commands == [], command
