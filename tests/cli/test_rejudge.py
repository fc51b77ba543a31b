"""`viva rejudge` as a process: exit codes, what changed, stale cases."""

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

A = {"id": "a", "input": "a", "assert": [{"type": "contains", "value": "echo: a"}]}
B = {"id": "b", "input": "b", "assert": [{"type": "contains", "value": "echo: b"}]}


@pytest.fixture
def recorded(project: VivaProject) -> VivaProject:
    project.cases(A, B)
    assert project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl").code == 0
    return project


def test_unchanged_cases_are_green_again(recorded: VivaProject):
    done = recorded.viva("rejudge", "out.jsonl")
    assert (done.code, done.counts["Passed"]) == (0, 2), done.text
    assert "no verdict changed: 2 conversations judged again" in done.out


def test_an_edited_check_is_exit_1_and_says_what_changed(recorded: VivaProject):
    recorded.cases(A, {**B, "assert": [{"type": "contains", "value": "sunk"}]})
    done = recorded.viva("rejudge", "last")
    assert (done.code, done.counts["Failed"]) == (1, 1), done.text
    assert "1 verdict changed:\n  cases.jsonl::b  passed → failed" in done.out


def test_a_stale_case_is_never_green(recorded: VivaProject):
    recorded.cases(A, {**B, "input": "other"})
    done = recorded.viva("rejudge", "out.jsonl")
    assert (done.code, "1 conversation is stale and was not judged" in done.out) == (1, True), done.text
    allowed = recorded.viva("rejudge", "out.jsonl", "--allow-stale")
    assert (allowed.code, "accept it with" in allowed.out) == (0, False), allowed.text
    alone = recorded.viva("rejudge", "out.jsonl::b", "--allow-stale")
    assert (alone.code, "nothing else was, so this is no pass" in alone.out) == (1, True), alone.text


def test_the_recording_of_a_run_that_was_killed_is_never_green(recorded: VivaProject):
    lines = (recorded.root / "out.jsonl").read_text().splitlines(keepends=True)
    recorded.write("killed.jsonl", "".join(lines[:2]))
    done = recorded.viva("rejudge", "killed.jsonl")
    assert done.code == 1, done.text
    assert "1 case of the recorded run has no result: it did not come to its end" in done.text
    assert recorded.viva("rejudge", "killed.jsonl", "--allow-stale").code == 0
    assert recorded.viva("rejudge", "killed.jsonl::a").code == 0, "one case that was recorded is one that can be judged"


def test_without_judges_a_check_that_needs_one_is_not_judged(recorded: VivaProject):
    recorded.cases(A, {**B, "assert": [{"type": "agent", "use": "judge", "criteria": "safe"}]})
    done = recorded.viva("rejudge", "out.jsonl", "--no-judges")
    assert (done.code, "not judged again" in done.text) == (1, True), done.text


def test_a_run_that_is_not_there_is_exit_2(recorded: VivaProject):
    assert recorded.viva("rejudge", "nowhere.jsonl").code == 2
    assert recorded.viva("rejudge", "out.jsonl::c").code == 2


def test_no_file_is_written_unless_one_is_named_as_the_help_says(recorded: VivaProject):
    before = sorted(recorded.root.rglob("*.jsonl"))
    assert recorded.viva("rejudge", "last").code == 0
    assert sorted(recorded.root.rglob("*.jsonl")) == before
    assert "Default: no file." in " ".join(recorded.viva("rejudge", "--help").out.split())


@pytest.mark.parametrize("run", ["out.jsonl", "last"])
def test_the_lines_of_unchanged_cases_are_those_of_the_recording(recorded: VivaProject, run: str):
    assert recorded.viva("rejudge", run, "-o", "again.jsonl").code == 0
    lines = [(recorded.root / name).read_bytes().splitlines()[1:-1] for name in ("out.jsonl", "again.jsonl")]
    assert len(lines[0]) == 2
    assert lines[0] == lines[1]
    assert recorded.viva("rejudge", "again.jsonl", "-i", "cases.jsonl").code == 0


@pytest.mark.parametrize(
    "command",
    [("rejudge",), ("mutate", "--fail-under", "0"), ("coverage", "--fail-under", "0")],
    ids=lambda command: command[0],
)
def test_a_damaged_recording_is_never_green_and_each_line_counts_once(recorded: VivaProject, command: tuple[str, ...]):
    first, *lines, last = (recorded.root / "out.jsonl").read_text().splitlines(keepends=True)
    damaged = lines[0].replace('"total_turns":1', '"total_turns":"x"')
    assert damaged != lines[0]
    recorded.write("damaged.jsonl", "".join([first, damaged, *lines[1:], last]))
    name, *flags = command
    done = recorded.viva(name, "damaged.jsonl", *flags)
    assert done.code == 1, done.text
    assert "1 line of the recording cannot be read" in done.out


def test_label_warns_of_lines_that_cannot_be_read(recorded: VivaProject):
    with (recorded.root / "out.jsonl").open("a") as file:
        file.write('{"type": "result", "id"')
    done = recorded.viva("label", "out.jsonl", "--set", "a=pass")
    assert (done.code, "out.jsonl:5: this line cannot be read" in done.err) == (0, True), done.text
