"""`viva baseline`: keeps results, shows them, compares later runs with them."""

import pytest
from tests.cli.conftest import VivaProject

GOOD = {"id": "good", "input": "hi", "assert": {"type": "contains", "value": "echo"}}
BAD = {"id": "bad", "input": "hi", "assert": {"type": "contains", "value": "goodbye"}}
WORSE = "def echo(messages):\n    return 'nothing'\n"


@pytest.fixture
def kept(project: VivaProject) -> VivaProject:
    """One case that passes and one that fails, five times each, kept as the baseline `main`."""
    project.cases(GOOD, BAD)
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", "--runs", "5")
    done = project.viva("baseline", "set", "main", "out.jsonl")
    assert (done.code, done.out) == (0, "baselines/main.jsonl: 2 cases, 5 of 10 runs passed\n")
    return project


def test_it_is_listed_shown_and_removed(kept: VivaProject):
    assert kept.viva("baseline", "list").out == "main: 2 cases, 5 of 10 runs passed, from 1 run\n"
    lines = kept.viva("baseline", "show", "main").out.splitlines()
    assert [line.split() for line in lines[-3:]] == [
        ["PASSED", "AGENT", "CASE"],
        ["0/5", "echo", "cases.jsonl::bad"],
        ["5/5", "echo", "cases.jsonl::good"],
    ]
    assert kept.viva("baseline", "rm", "main").out == "removed main\n"
    assert kept.viva("baseline", "list").out == ""


def test_runs_are_counted_together_and_the_newest_is_taken_without_a_name(kept: VivaProject):
    kept.viva("test", "-i", "cases.jsonl")
    assert "1 of 2 runs passed" in kept.viva("baseline", "set", "newest").out
    assert "6 of 12 runs passed" in kept.viva("baseline", "set", "both", "last", "last~1").out


def test_a_finished_run_is_compared_and_what_became_worse_is_exit_1(kept: VivaProject):
    assert kept.viva("baseline", "compare", "main", "out.jsonl").code == 0
    kept.write("agent.py", WORSE)
    kept.viva("test", "-i", "cases.jsonl", "-o", "worse.jsonl", "--runs", "5")
    done = kept.viva("baseline", "compare", "main", "worse.jsonl")
    assert done.code == 1
    assert "good: 5 of 5 passed before, 0 of 5 now" in done.out


def test_a_case_that_failed_its_only_run_counts_as_it_cannot_be_run_again(kept: VivaProject):
    kept.write("agent.py", WORSE)
    kept.viva("test", "-i", "cases.jsonl", "-o", "worse.jsonl")
    done = kept.viva("baseline", "compare", "main", "worse.jsonl")
    assert done.code == 1
    assert "✗ worse: good: 5 of 5 passed before, 0 of 1 now (not run again)" in done.out


@pytest.mark.parametrize("command", [["rm", "other"], ["show", "other"], ["compare", "other"]], ids=" ".join)
def test_a_baseline_that_is_not_there_is_exit_2(kept: VivaProject, command: list[str]):
    done = kept.viva("baseline", *command)
    assert (done.code, "no baseline 'other'" in done.err) == (2, True), done.err


def test_a_name_that_would_leave_the_folder_is_refused_before_anything_is_read(project: VivaProject):
    done = project.viva("baseline", "set", "../main", "nowhere.jsonl")
    assert (done.code, "nowhere.jsonl" in done.err) == (2, False), done.err


def test_a_misspelt_baseline_or_run_is_answered_with_the_nearest_name(kept: VivaProject):
    for command in (["test", "-i", "cases.jsonl", "--baseline", "mian"], ["baseline", "rm", "mian"]):
        assert kept.viva(*command).err.endswith("(did you mean 'main'?)\n")
    assert kept.viva("rejudge", "lst").err.endswith("(did you mean 'last'?)\n")


def test_a_run_without_any_result_is_no_baseline(project: VivaProject):
    project.cases({"id": "a", "input": "hi"})
    project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl")
    project.write("cut.jsonl", (project.root / "out.jsonl").read_text().splitlines()[0] + "\n")
    done = project.viva("baseline", "set", "empty", "cut.jsonl")
    assert (done.code, "nothing to make a baseline of" in done.err) == (2, True), done.text
    assert not (project.root / "baselines").exists()
