"""`viva coverage` as a process: exit codes, files, errors."""

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import VivaProject

AGENT = """
def reply(text):
    call = {"name": "refund", "args": {"amount": 4}, "result": "ok"}
    return {"content": "done", "tool_calls": [call]}
"""
CASES = '{"id": "T1", "input": "refund it", "assert": [{"type": "tool_called", "value": "refund"}]}\n'


def prepared(project: "VivaProject") -> None:
    (project.root / "agent.py").write_text(AGENT)
    (project.root / "cases.jsonl").write_text(CASES)
    assert project.viva("test", "cases.jsonl", "-n", "python:agent.py:reply", "-o", "out.jsonl").code == 0


def test_the_newest_run_with_reports_and_limits(project: "VivaProject"):
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


def test_what_cannot_be_done_is_told(project: "VivaProject"):
    prepared(project)
    unknown = project.viva("coverage", "-o", "c.pdf")
    assert (unknown.code, "use .html, .md or .json" in unknown.err) == (2, True)
    assert project.viva("coverage", "nothing.jsonl").code == 2
    (project.root / "cases.jsonl").write_text(CASES.replace("refund it", "give it back"))
    stale = project.viva("coverage")
    assert stale.code == 2
    assert "stale" in stale.err


def test_coding_agents_have_it_as_a_tool(project: "VivaProject"):
    prepared(project)
    done = project.viva("coverage", "--format", "agent")
    assert done.out.splitlines()[0] == "never: tool refund failed"


def test_lines_of_the_agent_by_case(project: "VivaProject"):
    library = pytest.importorskip("coverage")
    (project.root / "agent.py").write_text(
        "def reply(text):\n    if text == 'a':\n        return 'A'\n    return 'B'\n"
    )
    (project.root / "cases.jsonl").write_text('{"id": "T1", "input": "a"}\n{"id": "T2", "input": "b"}\n')
    done = project.viva("test", "cases.jsonl", "-n", "python:agent.py:reply", "--cov", "agent.py", "-j", "4")
    assert done.code == 0, done.text
    data = library.CoverageData(str(project.root / ".coverage"))
    data.read()
    [file] = data.measured_files()
    lines = data.contexts_by_lineno(file)
    assert sorted(lines[2]) == ["cases.jsonl::T1", "cases.jsonl::T2"]
    assert (lines[3], lines[4]) == (["cases.jsonl::T1"], ["cases.jsonl::T2"])
