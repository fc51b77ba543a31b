"""`viva coverage` as a process: exit codes, files, errors."""

import json

import pytest
from tests.cli.conftest import VivaProject

AGENT = """
def reply(text):
    call = {"name": "refund", "args": {"amount": 4}, "result": "ok"}
    return {"content": "done", "tool_calls": [call]}
"""
CASES = '{"id": "T1", "input": "refund it", "assert": [{"type": "tool_called", "value": "refund"}]}\n'


def prepared(project: VivaProject) -> None:
    (project.root / "agent.py").write_text(AGENT)
    (project.root / "cases.jsonl").write_text(CASES)
    assert project.viva("test", "cases.jsonl", "-n", "python:agent.py:reply", "-o", "out.jsonl").code == 0


def test_the_newest_run_with_reports_and_limits(project: VivaProject):
    prepared(project)
    done = project.viva("coverage", "-o", "c.json", "-o", "c.html", "-o", "c.md", "--fail-under", "75")
    assert done.code == 0, done.out + done.err
    assert "exercised: 75.0 % (3 of 4)   checked: 25.0 % (1 of 4)" in done.out
    assert json.loads((project.root / "c.json").read_text())["checked"]["count"] == 1
    assert (project.root / "c.html").read_text().startswith("<!doctype html>")
    assert "| refund |" in (project.root / "c.md").read_text()
    low = project.viva("coverage", "out.jsonl", "--fail-under", "76", "--fail-under-checked", "25")
    assert low.code == 1
    assert low.out.splitlines()[-1] == "FAIL: 75.0 % is exercised, wanted 76 %"


def test_what_cannot_be_done_is_told(project: VivaProject):
    prepared(project)
    unknown = project.viva("coverage", "-o", "c.pdf")
    assert (unknown.code, "use .html, .md or .json" in unknown.err) == (2, True)
    assert project.viva("coverage", "nothing.jsonl").code == 2
    (project.root / "cases.jsonl").write_text(CASES.replace("refund it", "give it back"))
    stale = project.viva("coverage")
    assert stale.code == 2
    assert "stale" in stale.err


def test_coding_agents_have_it_as_a_tool(project: VivaProject):
    prepared(project)
    done = project.viva("coverage", "--format", "agent")
    assert done.out.splitlines()[0] == "never: tool refund failed"


COUNTING = """
import os
from pathlib import Path

def reply(text):
    Path(f"process-{os.getpid()}").touch()
    if text == "a":
        return "A"
    return "B"
"""


def contexts(project: VivaProject) -> dict[int, list[str]]:
    """Which cases ran each line of the agent's file."""
    library = pytest.importorskip("coverage")
    data = library.CoverageData(str(project.root / ".coverage"))
    data.read()
    [file] = data.measured_files()
    return {line: sorted(cases) for line, cases in data.contexts_by_lineno(file).items()}


@pytest.mark.parametrize("parallel", ["1", "3"])
def test_lines_of_the_agent_by_case(project: VivaProject, parallel: str):
    project.write("agent.py", COUNTING)
    project.cases(*({"id": f"T{n}", "input": "a" if n % 2 else "b"} for n in range(1, 7)))
    command = ("test", "cases.jsonl", "-n", "python:agent.py:reply", "--cov", "agent.py", "-j", parallel)
    assert project.viva(*command, "-o", "out.jsonl").code == 0
    lines = contexts(project)
    every = [f"cases.jsonl::T{n}" for n in range(1, 7)]
    assert (lines[7], lines[8], lines[9]) == (every, every[::2], every[1::2])
    assert len(list(project.root.glob("process-*"))) <= int(parallel)
    assert project.statuses() == {f"T{n}": "passed" for n in range(1, 7)}
    project.write("other/unused.py", "x = 1\n")
    assert "% of the measured lines were run" in project.viva("test", "cases.jsonl", "--cov", "agent.py").err
    assert "no line of other was run" in project.viva("test", "cases.jsonl", "--cov", "other", "-j", parallel).err
    # A second run begins anew.
    assert project.viva(*command, "--run", "T1").code == 0
    assert 9 not in contexts(project)


def test_as_many_processes_as_conversations_at_once(project: VivaProject):
    """Each of the three waits for the other two, which only works when three processes are at it."""
    project.write(
        "agent.py",
        "import os, time\nfrom pathlib import Path\n\ndef reply(text):\n"
        "    Path(f'process-{os.getpid()}').touch()\n"
        "    while len(list(Path.cwd().glob('process-*'))) < 3:\n        time.sleep(0.01)\n    return 'met'\n",
    )
    project.cases(*({"id": f"T{n}", "input": "a", "timeout": "60s"} for n in range(3)))
    done = project.viva("test", "cases.jsonl", "-n", "python:agent.py:reply", "--cov", "agent.py", "-j", "3")
    assert done.code == 0, done.text


def test_a_limit_on_nothing_is_not_met(project: "VivaProject"):
    (project.root / "cases.jsonl").write_text('{"id": "T1", "input": "hi you", "expected": "echo: hi you"}\n')
    assert project.viva("test", "cases.jsonl").code == 0
    assert project.viva("coverage").code == 0
    for limit in ("--fail-under", "--fail-under-checked"):
        done = project.viva("coverage", limit, "80")
        assert done.code == 1
        assert "FAIL: nothing is known that could be" in done.out
