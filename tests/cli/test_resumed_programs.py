"""Resuming from Python, with objects as agents, and of recordings: only what differs runs again."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

AGENT = """
def reply(text):
    with open("heard", "a") as heard:
        heard.write(text + "\\n")
    return "fine"
"""
PROGRAMS = {
    "by name": "bot = 'python:agent.py:reply'",
    "function": "import agent as module\nbot = module.reply",
    "lambda": "import agent as module\nbot = lambda text: module.reply(text)",
    "object": "import agent\nclass Bot:\n    def __call__(self, text): return agent.reply(text)\nbot = Bot()",
}
CALL = """
import vivavoce
{made}
cases = {cases}
report = vivavoce.run(cases, agent=bot, outputs="r.jsonl", history=False)
assert report.summary.passed == 4, report
"""
CASES = {
    "file": "'cases.jsonl'",
    "written": "[{'id': str(n), 'input': str(n)} for n in range(4)]",
}


def run_program(project: VivaProject, text: str) -> str:
    project.write("program.py", text)
    done = subprocess.run(
        [sys.executable, "program.py"], cwd=project.root, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def heard_again(project: VivaProject, cut: str) -> Path:
    """Cuts the result file after two results, as a killed run leaves it, and forgets what was heard."""
    path = project.root / cut
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    heard = project.root / "heard"
    heard.unlink()
    return heard


@pytest.mark.parametrize("cases", CASES)
@pytest.mark.parametrize("agent", PROGRAMS)
@pytest.mark.parametrize("changed", [False, True], ids=["the same", "changed"])
def test_a_program_runs_again_only_what_differs(project: VivaProject, agent: str, cases: str, changed: bool):
    project.write("agent.py", AGENT)
    project.cases(*({"id": str(n), "input": str(n)} for n in range(4)))
    text = CALL.format(made=PROGRAMS[agent], cases=CASES[cases])
    run_program(project, text)
    heard = heard_again(project, "r.jsonl")
    if changed:
        project.write("agent.py", AGENT.replace('"fine"', '"fine" + ""'))
    said = run_program(project, text.replace("history=False", 'history=False, resume="r.jsonl"'))
    assert sorted(heard.read_text().split()) == (["0", "1", "2", "3"] if changed else ["2", "3"])
    assert ("the source of agent" in said) is changed


RECORD = ["record", "-i", "cases.jsonl", "-n", "python:agent.py:reply", "--no-history"]


@pytest.mark.parametrize("where", ["the same folder", "another folder", "a folder that lost an answer"])
def test_a_resumed_recording_is_complete(project: VivaProject, where: str):
    project.write("agent.py", AGENT)
    project.cases(*({"id": str(n), "input": str(n)} for n in range(4)))
    assert project.viva(*RECORD, "-o", "one").code == 0
    heard = heard_again(project, "one/results.jsonl")
    folder = "two" if where == "another folder" else "one"
    if where == "a folder that lost an answer":
        next((project.root / "one" / "0").glob("*.answer.json")).unlink()
    done = project.viva(*RECORD, "-o", folder, "--resume", "one/results.jsonl")
    assert done.code == 0, done.text
    again = {"the same folder": 2, "another folder": 4, "a folder that lost an answer": 3}[where]
    assert len(heard.read_text().split()) == again
    assert ("has no recorded answers of" in done.text) is (again > 2)
    assert len(list((project.root / folder).glob("*/*.answer.json"))) == 4


def test_a_recording_that_is_complete_has_nothing_left_to_do(project: VivaProject):
    project.write("agent.py", AGENT)
    project.cases({"id": "0", "input": "0"})
    assert project.viva(*RECORD, "-o", "one").code == 0
    done = project.viva(*RECORD, "-o", "one", "--resume", "one/results.jsonl")
    assert done.code == 0, done.text
