"""No report is ever written over somebody's cases."""

from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

import vivavoce

CASE = {"id": "one", "input": "hi", "assert": {"type": "contains", "value": "hi"}}


@pytest.mark.parametrize("flags", [(), ("--dry-run",)])
@pytest.mark.parametrize("name", ["cases.jsonl", "./cases.jsonl", "link.jsonl"])
def test_the_cases_of_the_run_are_not_overwritten(project: VivaProject, name: str, flags: tuple[str, ...]):
    cases = project.cases(CASE)
    (project.root / "link.jsonl").symlink_to(cases)
    before = cases.read_bytes()
    done = project.viva("test", "-i", "cases.jsonl", "-o", name, *flags)
    assert (done.code, cases.read_bytes()) == (2, before)
    assert f"-o: {name} holds the cases of this run (give another file)" in done.err


def test_other_cases_are_not_taken_for_an_old_result(project: VivaProject):
    project.cases(CASE)
    others = project.cases(CASE, name="others.jsonl")
    before = others.read_bytes()
    assert project.viva("test", "-i", "cases.jsonl", "-o", "old.jsonl").code == 0
    for command in (["test", "-i", "cases.jsonl"], ["merge", "old.jsonl"]):
        done = project.viva(*command, "-o", "others.jsonl")
        assert (done.code, others.read_bytes()) == (2, before)
        assert "-o: others.jsonl holds no results of viva, and would be lost" in done.err


@pytest.mark.parametrize("name", ["notes.json", "others.viva.json", "NOTES.JSON"])
def test_a_json_file_that_is_no_report_is_kept(project: VivaProject, name: str):
    project.cases(CASE)
    project.write(name, '{"turns": ["hi"]}')
    done = project.viva("test", "-i", "cases.jsonl", "-o", name)
    assert (done.code, (project.root / name).read_text()) == (2, '{"turns": ["hi"]}')
    assert f"-o: {name} holds no results of viva, and would be lost" in done.err


def test_the_file_of_a_chosen_report_is_replaced_by_the_next_one(project: VivaProject):
    project.cases(CASE)
    project.write("own.py", "def report(messages):\n    return '[1]'\n")
    for _ in range(2):
        done = project.viva("test", "-i", "cases.jsonl", "-r", "python:own.py:report", "-o", "own.json")
        assert done.code == 0, done.err
    assert (project.root / "own.json").read_text().startswith("[1]")


@pytest.mark.parametrize("name", ["out.json", "out.html", "out.xml", "out.md"])
def test_reports_are_replaced_by_those_of_the_next_run(project: VivaProject, name: str):
    project.cases(CASE)
    for _ in range(2):
        assert project.viva("test", "-i", "cases.jsonl", "-o", name).code == 0


def test_results_and_empty_files_are_overwritten_as_ever(project: VivaProject):
    project.cases(CASE)
    project.write("out.jsonl", "")
    for _ in range(2):
        assert project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl").code == 0
    assert project.statuses() == {"one": "passed"}


def test_one_file_given_twice_is_a_mistake(project: VivaProject):
    project.cases(CASE)
    done = project.viva("test", "-i", "cases.jsonl", "-o", "x.html", "-o", "./x.html")
    assert (done.code, "-o: ./x.html is given twice" in done.err) == (2, True)


def test_a_case_is_not_frozen_into_results(project: VivaProject):
    project.cases(CASE)
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    before = (project.root / "out.jsonl").read_bytes()
    done = project.viva("freeze", "out.jsonl", "-o", "out.jsonl")
    assert (done.code, (project.root / "out.jsonl").read_bytes()) == (2, before)
    assert "(1 turn)" in project.viva("freeze", "out.jsonl", "-o", "frozen.jsonl").out


def test_the_python_api_refuses_it_too(project: VivaProject, monkeypatch: pytest.MonkeyPatch):
    cases = project.cases(CASE)
    before = cases.read_bytes()
    monkeypatch.chdir(project.root)
    with pytest.raises(vivavoce.UsageError, match="holds the cases of this run"):
        vivavoce.run("cases.jsonl", agent="echo", outputs=[Path("cases.jsonl")])
    assert cases.read_bytes() == before
