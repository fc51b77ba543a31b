"""Agents that try to take viva down with them: never green, never a traceback, no other case lost."""

import pytest
from tests.cli.conftest import VivaProject

RUDE = """
import os

class Mute(Exception):
    def __str__(self):
        raise ValueError("no words")

def reply(text: str):
    if text == "os._exit":
        os._exit(0)
    if text == "fork":
        child = os.fork()
        if child == 0:
            os._exit(7)
        return f"child ended {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}"
    if text == "ctrl-c":
        raise KeyboardInterrupt
    if text == "generator":
        raise GeneratorExit
    if text == "mute":
        raise Mute
    if text == "number":
        return {"data": 10 ** 5000}
    return "fine"
"""


@pytest.fixture
def rude(project: VivaProject) -> VivaProject:
    project.write("rude.py", RUDE)
    project.write("viva.yaml", "agents:\n  rude: {python: rude.py:reply}\nagent: rude\n")
    return project


def test_an_agent_that_ends_the_process_is_not_a_pass(rude: VivaProject):
    rude.cases({"id": "one", "input": "os._exit"})
    done = rude.viva("test", "-i", "cases.jsonl")
    assert done.code == 3
    assert "ended the process with os._exit(0): the run is not complete" in done.err


def test_a_forked_child_may_end_as_it_likes(rude: VivaProject):
    rude.cases({"id": "one", "input": "fork", "assert": {"type": "contains", "value": "child ended 7"}})
    done = rude.viva("test", "-i", "cases.jsonl", PYTHONWARNINGS="ignore")
    assert done.code == 0, done.text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ctrl-c", "agent error: RuntimeError: KeyboardInterrupt was raised (rude.py:"),
        ("generator", "agent error: RuntimeError: GeneratorExit was raised (rude.py:"),
        ("mute", "agent error: Mute: <exception str() failed> (rude.py:"),
        ("number", "agent error: the agent answered what is not JSON: $.data is a number of more than 4,000 digits"),
    ],
)
def test_what_an_agent_raises_is_its_own_error_and_the_next_case_runs(rude: VivaProject, text: str, told: str):
    rude.cases({"id": "rude", "input": text}, {"id": "next", "input": "hello"})
    done = rude.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    assert (done.code, rude.statuses()) == (1, {"rude": "error", "next": "passed"}), done.text
    (row,) = [row for row in rude.rows() if row.get("id") == "rude"]
    assert row["error"].startswith(told)
    assert row["fault"] == "agent"
