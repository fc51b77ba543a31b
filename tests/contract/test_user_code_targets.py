"""Python callables, commands and scripts keep the promises of every target."""

import sys
from pathlib import Path

import pytest
from tests.contract.target_contract import (
    PROMISES,
    Make,
    a_call_that_does_not_work_blames_the_target,
    its_card_tells_what_it_is,
)
from tests.fakes.user_agents import target_of

from vivavoce.protocols import Target

ANSWERS = """
import time

def answers(behaviour, messages, ctx):
    if behaviour == "hang":
        time.sleep(600)
    if behaviour == "echo":
        return "you said: " + messages[-1]["content"]
    if behaviour == "count":
        return str(len(messages))
    who = ctx["identity"]
    return " ".join([who["user_id"], who["team_id"], who["locale"], ctx["metadata"]["colour"]])
"""
PYTHON = "\ndef {0}(messages, ctx): return answers({0!r}, messages, ctx)"
SCRIPT = "\ndef {0}(said, ctx): return answers({0!r}, ctx['messages'], ctx)"
COMMAND = (
    "\nimport json, sys\nsent = json.load(sys.stdin)\nprint(answers(sys.argv[1], sent['messages'], sent['context']))"
)
BEHAVIOURS = ("echo", "count", "whoami", "hang")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "scripts").mkdir()
    (tmp_path / "agent.py").write_text(ANSWERS + "".join(PYTHON.format(name) for name in BEHAVIOURS))
    (tmp_path / "scripts" / "agent.py").write_text(ANSWERS + "".join(SCRIPT.format(name) for name in BEHAVIOURS))
    (tmp_path / "command.py").write_text(ANSWERS + COMMAND)
    return tmp_path


def maker(kind: str, root: Path) -> Make:
    def make(behaviour: str) -> Target:
        if kind == "python":
            return target_of(kind, root, python=f"agent.py:{behaviour}")
        if kind == "script":
            return target_of(kind, root, script=f"agent.{behaviour}")
        program = "no-such-program-here" if behaviour == "fail" else sys.executable
        return target_of(kind, root, cmd=[program, "command.py", behaviour])

    return make


@pytest.mark.parametrize("kind", ["python", "cmd", "script"])
@pytest.mark.parametrize("promise", [p for p in PROMISES if p is not a_call_that_does_not_work_blames_the_target])
async def test_promise(promise, kind: str, root: Path):
    await promise(maker(kind, root))


async def test_a_program_that_cannot_be_started_blames_the_target(root: Path):
    # The other two kinds are found, or refused, when the target is built.
    await a_call_that_does_not_work_blames_the_target(maker("cmd", root))


@pytest.mark.parametrize("kind", ["python", "cmd", "script"])
async def test_card(kind: str, root: Path):
    await its_card_tells_what_it_is(maker(kind, root), kind)
