"""User code that leaves the working folder, or deletes it: files named on the command line are still found."""

import pytest
from tests.cli.conftest import VivaProject

LEAVING = """
import os, shutil, tempfile

def reply(text: str):
    if text == "boom":
        raise ValueError("boom")
    folder = tempfile.mkdtemp() if text == "gone" else "/"
    os.chdir(folder)
    if text == "gone":
        shutil.rmtree(folder)
    return "fine"

def reads(messages):
    return "fine"
"""


@pytest.fixture
def leaving(project: VivaProject) -> VivaProject:
    project.write("leaving.py", LEAVING)
    project.write("checks.py", "def fine(text): assert text == 'fine'\n")
    project.write("viva.yaml", "agents:\n  l: {python: leaving.py:reply}\nagent: l\n")
    return project


@pytest.mark.parametrize("where", ["root", "gone"])
def test_an_agent_may_leave_the_working_folder(leaving: VivaProject, where: str):
    leaving.cases({"id": "leaves", "input": where}, {"id": "boom", "input": "boom"})
    outputs = ("-o", "out.jsonl", "-o", "reports/all.html", "-o", "all.xml")
    done = leaving.viva("test", "-i", "cases.jsonl", *outputs)
    assert (done.code, leaving.statuses()) == (1, {"leaves": "passed", "boom": "error"}), done.text
    assert "ValueError: boom (leaving.py:6)" in done.out
    assert "Report: reports/all.html" in done.out
    assert (leaving.root / "reports/all.html").stat().st_size > 1000
    assert "leaves" in (leaving.root / "all.xml").read_text()


@pytest.mark.parametrize("where", ["root", "gone"])
def test_attachments_are_found_after_the_agent_has_left_a_folder_below_the_project(leaving: VivaProject, where: str):
    leaving.write("sub/fixtures/a.txt", "hello")
    attached = {"input": "see", "attachments": [{"type": "file", "source": "file://fixtures/a.txt"}]}
    later = {"id": "later", "agent": "python:leaving.py:reads", "turns": [attached]}
    leaving.cases({"id": "leaves", "input": where}, later, name="sub/cases.jsonl")
    done = leaving.viva("test", "-i", "cases.jsonl", "-j", "1", "-o", "out.jsonl", below="sub")
    assert (done.code, leaving.statuses("sub/out.jsonl")) == (0, {"leaves": "passed", "later": "passed"}), done.text


@pytest.mark.parametrize("where", ["root", "gone"])
def test_a_resumed_run_goes_on_in_its_file_although_the_agent_leaves(leaving: VivaProject, where: str):
    leaving.cases(*({"id": str(n), "input": where} for n in range(4)))
    leaving.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    whole = leaving.rows()
    cut = (leaving.root / "out.jsonl").read_text().splitlines(keepends=True)[:3]
    leaving.write("out.jsonl", "".join(cut))
    leaving.write("part.jsonl", "".join(cut))
    done = leaving.viva("test", "-i", "cases.jsonl", "--resume", "out.jsonl")
    assert (done.code, len(leaving.rows())) == (0, len(whole)), done.text
    elsewhere = leaving.viva("test", "-i", "cases.jsonl", "--resume", "part.jsonl", "-o", "new.jsonl")
    assert (elsewhere.code, len(leaving.rows("new.jsonl"))) == (0, len(whole)), elsewhere.text
    assert not list(leaving.root.glob(".*.tmp"))
