"""`viva diff`: files and runs, exit codes, the page, data for other programs."""

import json

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

SAYS_ECHO = {"assert": {"type": "contains", "value": "echo"}}
CASES = [{"id": name, "input": name, **SAYS_ECHO} for name in ("a", "b", "c")]


@pytest.fixture
def twice(project: VivaProject) -> VivaProject:
    """b breaks, c is fixed, d comes, a stays."""
    project.cases(*CASES[:2], {"id": "c", "input": "raise"})
    project.viva("test", "-i", "cases.jsonl", "-o", "before.jsonl")
    project.cases(CASES[0], {"id": "b", "input": "tool", **SAYS_ECHO}, CASES[2], {"id": "d", "input": "d"})
    project.viva("test", "-i", "cases.jsonl", "-o", "after.jsonl")
    return project


@pytest.mark.parametrize("runs", [("before.jsonl", "after.jsonl"), ("last~1", "last"), (), ("last~1", "after.jsonl")])
def test_files_and_kept_runs_compare_alike(twice: VivaProject, runs: tuple[str, ...]):
    done = twice.viva("diff", *runs)
    assert done.code == 0, done.err
    assert "New failures (1)\n  [b]" in done.out
    assert "- echo: b" in done.out
    assert "+ done" in done.out
    assert "Fixed (1)\n  [c]" in done.out
    assert "Added (1)\n  [d]" in done.out
    assert "1 new failure, 1 fixed, 1 added" in done.out
    assert "\x1b" not in done.out


def test_a_run_is_named_by_the_beginning_of_its_id(twice: VivaProject):
    first, second = (twice.rows(name)[0]["run_id"] for name in ("before.jsonl", "after.jsonl"))
    assert "New failures (1)" in twice.viva("diff", first[:6], second).out


def test_a_regression_is_exit_1_only_when_asked_for(twice: VivaProject):
    assert twice.viva("diff").code == 0
    assert twice.viva("diff", "--fail-on-regression").code == 1
    assert twice.viva("diff", "after.jsonl", "after.jsonl", "--fail-on-regression").code == 0


def test_a_later_run_that_broke_off_is_no_proof_of_health(twice: VivaProject):
    lines = (twice.root / "before.jsonl").read_text().splitlines(keepends=True)
    twice.write("cut.jsonl", "".join(lines[:2]))
    done = twice.viva("diff", "before.jsonl", "cut.jsonl", "--fail-on-regression")
    assert done.code == 1
    assert "incomplete: 2 of its cases never finished" in done.out


def test_cases_that_are_gone_or_skipped_are_a_regression_unless_allowed(project: VivaProject):
    project.cases(*CASES)
    project.viva("test", "-i", "cases.jsonl", "-o", "before.jsonl")
    project.cases(CASES[0], {**CASES[1], "skip": "later"})
    project.viva("test", "-i", "cases.jsonl", "-o", "after.jsonl")
    done = project.viva("diff", "--fail-on-regression")
    assert done.code == 1
    assert "No longer judged (1)\n  [b]" in done.out
    assert "Not in the later run (1)\n  [c]" in done.out
    assert "2 cases judged before are skipped or missing after" in done.out
    assert project.viva("diff", "--fail-on-regression", "--allow-missing").code == 0


def test_json_for_other_programs(twice: VivaProject):
    done = twice.viva("diff", "--json")
    found = json.loads(done.out)
    assert {name: number for name, number in found["counts"].items() if number} == {
        "new_failure": 1, "fixed": 1, "added": 1, "same": 1, "replies_differ": 2, "calls_differ": 1, "calls_hidden": 3,
    }  # fmt: skip
    assert {change["id"]: change["change"] for change in found["changes"]} == {
        "b": "new_failure", "c": "fixed", "d": "added",
    }  # fmt: skip
    assert found["regressions"] == 1


def test_the_page_is_one_file(twice: VivaProject):
    done = twice.viva("diff", "-o", "pages/diff.html")
    assert done.code == 0
    assert "written to pages/diff.html" in done.out
    page = (twice.root / "pages" / "diff.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "echo: b" in page
    both = twice.viva("diff", "--json", "-o", "diff.html")
    json.loads(both.out)
    assert "written to diff.html" in both.err


def test_what_changed_may_fail_ci_also_in_cases_that_pass(twice: VivaProject):
    done = twice.viva("diff", "--fail-on", "latency,cost", "--slower", "100000000")
    assert done.code == 1
    assert "3 cases whose answers do not say what they used (--fail-on cost)" in done.out
    assert "latency" not in done.out
    done = twice.viva("diff", "--json", "--fail-on", "tools")
    assert done.code == 1
    json.loads(done.out)
    assert "1 case with other tool calls (--fail-on tools)" in done.err
    assert "cannot fail on 'speed'" in twice.viva("diff", "--fail-on", "speed").err


def test_markdown_and_json_files(twice: VivaProject):
    assert twice.viva("diff", "-o", "d.md", "-o", "d.json").code == 0
    assert "## New failures (1)" in (twice.root / "d.md").read_text()
    assert json.loads((twice.root / "d.json").read_text())["regressions"] == 1


def test_every_changed_reply_when_asked_for(project: VivaProject):
    project.cases({"id": "a", "input": "one"})
    project.viva("test", "-i", "cases.jsonl", "-o", "before.jsonl")
    project.cases({"id": "a", "input": "two"})
    project.viva("test", "-i", "cases.jsonl", "-o", "after.jsonl")
    assert "+ echo: two" not in project.viva("diff").out
    assert "+ echo: two" in project.viva("diff", "--replies").out


def test_slower_cases_by_the_share_that_is_asked_for(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    project.viva("test", "-i", "cases.jsonl", "-o", "before.jsonl")
    project.cases({"id": "a", "input": "slow"})
    project.viva("test", "-i", "cases.jsonl", "-o", "after.jsonl")
    assert "Slower (1)" in project.viva("diff").out
    assert "Slower" not in project.viva("diff", "--slower", "100000000").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("gone.jsonl", "last"), "no such result file: gone.jsonl"),
        (("cases.jsonl", "last"), "not a result file of viva"),
        (("last~9", "last"), "there is no run last~9: 2 kept"),
        (("zzzzzz", "last"), "'zzzzzz' is no result file and no run"),
        (("last~1", "last", "-o", "diff.pdf"), "no comparison format for diff.pdf"),
        (("last~1", "last", "--slower", "-3"), "--slower"),
    ],
)
def test_what_is_wrong_is_said_and_exit_2(twice: VivaProject, arguments: tuple[str, ...], said: str):
    done = twice.viva("diff", *arguments)
    assert done.code == 2
    assert said in done.err


def test_a_file_that_cannot_be_written_is_exit_3(twice: VivaProject):
    done = twice.viva("diff", "last~1", "last", "-o", "cases.jsonl/diff.html")
    assert (done.code, "cannot write" in done.err) == (3, True)


def test_a_line_that_cannot_be_read_is_told_and_its_case_missed(twice: VivaProject):
    lines = (twice.root / "after.jsonl").read_bytes().splitlines(keepends=True)
    twice.write("torn.jsonl", b"".join([*lines[:2], lines[2][:60] + b"\n", *lines[3:]]))
    done = twice.viva("diff", "after.jsonl", "torn.jsonl", "--fail-on-regression")
    assert (done.code, "Not in the later run (1)" in done.out) == (1, True)
    assert "viva: warning: torn.jsonl: 1 line of the file cannot be read" in done.err


def test_a_new_case_that_fails_is_a_regression(project: VivaProject):
    project.cases(CASES[0])
    project.viva("test", "-i", "cases.jsonl", "-o", "before.jsonl")
    project.cases(CASES[0], {"id": "new", "input": "raise"})
    project.viva("test", "-i", "cases.jsonl", "-o", "after.jsonl")
    done = project.viva("diff", "--fail-on-regression")
    assert done.code == 1
    assert "1 added case does not pass" in done.out


def test_a_run_that_was_not_finished_properly_is_no_proof_of_health(twice: VivaProject):
    whole = (twice.root / "before.jsonl").read_text()
    twice.write("torn.jsonl", "".join(whole.splitlines(keepends=True)[:-1]))
    assert twice.viva("diff", "before.jsonl", "before.jsonl", "--fail-on-regression").code == 0
    done = twice.viva("diff", "before.jsonl", "torn.jsonl", "--fail-on-regression")
    assert done.code == 1
    assert "The later run is incomplete: it has no proper end." in done.out
