"""`viva merge`: shards become one run again."""

import json

import pytest
from tests.cli.conftest import VivaProject

pytestmark = pytest.mark.process

SAYS_ECHO = {"assert": {"type": "contains", "value": "echo"}}


@pytest.fixture
def sharded(project: VivaProject) -> VivaProject:
    """Twelve cases, one of them failing, run in three shards."""
    cases = [{"id": f"T{n}", "input": f"line {n}", **SAYS_ECHO} for n in range(12)]
    cases[5]["assert"] = {"type": "contains", "value": "never"}
    project.cases(*cases)
    for shard in (1, 2, 3):
        project.viva("test", "-i", "cases.jsonl", "--shard", f"{shard}/3", "-o", f"s{shard}.jsonl", "--no-history")
    return project


SHARDS = ("s1.jsonl", "s2.jsonl", "s3.jsonl")


def test_shards_give_the_run_they_were_cut_from(sharded: VivaProject):
    sharded.viva("test", "-i", "cases.jsonl", "-o", "whole.jsonl", "--no-history")
    done = sharded.viva("merge", *SHARDS, "-o", "all.jsonl", "-o", "all.json", "-o", "all.xml", "-o", "all.html")
    assert done.code == 1
    rows, whole = sharded.rows("all.jsonl"), sharded.rows("whole.jsonl")
    assert [row["type"] for row in rows] == ["start", *["result"] * 12, "summary"]
    assert sharded.statuses("all.jsonl") == sharded.statuses("whole.jsonl")
    assert [row["index"] for row in rows[1:-1]] == list(range(1, 13))
    assert rows[0]["total_cases"] == 12
    differing = {"duration_ms", "completed_at"}
    assert {k: v for k, v in rows[-1].items() if k not in differing} == {
        k: v for k, v in whole[-1].items() if k not in differing
    }
    assert len(json.loads((sharded.root / "all.json").read_text())["results"]) == 12
    assert "11 of 12 passed" in done.out


def test_all_green_is_exit_0(sharded: VivaProject):
    again = sharded.viva("test", "-i", "cases.jsonl::T4", "-o", "again.jsonl", "--no-history")
    assert again.code == 0
    assert sharded.viva("merge", "again.jsonl").code == 0


def test_the_same_result_twice_counts_once(sharded: VivaProject):
    done = sharded.viva("merge", *SHARDS, "s2.jsonl", "-o", "all.jsonl")
    assert done.code == 1
    assert len(sharded.rows("all.jsonl")) == 14


def test_two_different_results_of_a_case_are_a_problem_unless_the_last_wins(sharded: VivaProject):
    sharded.write("agent.py", "def echo(messages):\n    return 'echo, never again'\n")
    sharded.viva("test", "-i", "cases.jsonl::T5", "-o", "again.jsonl", "--no-history")
    refused = sharded.viva("merge", *SHARDS, "again.jsonl", "-o", "all.jsonl")
    assert refused.code == 2
    assert "cases.jsonl::T5 has two different results" in refused.err
    assert "--last-wins" in refused.err
    assert not (sharded.root / "all.jsonl").exists()
    merged = sharded.viva("merge", *SHARDS, "again.jsonl", "--last-wins", "-o", "all.jsonl")
    assert merged.code == 0
    assert sharded.statuses("all.jsonl")["T5"] == "passed"
    assert (sharded.rows("all.jsonl")[-1]["total"], len(sharded.rows("all.jsonl"))) == (12, 14)


def test_a_shard_that_was_killed_is_flagged_and_never_green(sharded: VivaProject):
    lines = (sharded.root / "s1.jsonl").read_bytes().splitlines(keepends=True)
    sharded.write("s1.jsonl", b"".join(lines[:2]) + lines[2][:30])
    done = sharded.viva("merge", *SHARDS, "-o", "all.jsonl")
    assert done.code == 1
    assert "s1.jsonl: its run did not come to its end" in done.err
    assert "torn" in done.err
    summary = sharded.rows("all.jsonl")[-1]
    missing = len(lines) - 3
    assert (summary["total"], summary["not_run"], summary["interrupted"]) == (12, missing, "incomplete")


def test_a_file_is_never_merged_into_itself(sharded: VivaProject):
    before = (sharded.root / "s1.jsonl").read_bytes()
    done = sharded.viva("merge", *SHARDS, "-o", "s1.jsonl")
    assert done.code == 2
    assert "s1.jsonl is one of the files to merge" in done.err
    assert (sharded.root / "s1.jsonl").read_bytes() == before


@pytest.mark.parametrize("arguments", [(), ("nowhere.jsonl",), ("cases.jsonl",), ("s1.jsonl", "-o", "x.pdf")])
def test_what_cannot_be_merged_is_a_usage_error(sharded: VivaProject, arguments):
    assert sharded.viva("merge", *arguments).code == 2


def test_cases_without_a_verdict_are_counted_for_all_shards_together(project: VivaProject):
    project.cases(*({"id": f"T{n}", "type": "multi_turn", "input": f"well, {n}?"} for n in range(6)))
    for shard in (1, 2):
        done = project.viva("test", "-i", "cases.jsonl", "--shard", f"{shard}/2", "-o", f"s{shard}.jsonl")
        assert done.code == 0
        assert "ended without a verdict: nobody had the next line" in done.out
    done = project.viva("merge", "s1.jsonl", "s2.jsonl", "-o", "all.jsonl", "-o", "all.md", "-o", "all.xml")
    words = "6 cases ended without a verdict: nobody had the next line (--on-missing-input fail makes that red)"
    assert project.rows("all.jsonl")[-1]["warnings"] == [words, "everything was skipped: nothing was tested"]
    assert "6 cases ended without a verdict" in (project.root / "all.md").read_text()
    assert f'<property name="warning" value="{words}"' in (project.root / "all.xml").read_text()
    assert done.err.count("without a verdict") == 1


def test_a_missing_shard_is_named_and_never_green(project: VivaProject):
    project.cases(*({"id": f"T{n}", "input": f"line {n}", **SAYS_ECHO} for n in range(12)))
    for shard in (1, 2, 3):
        project.viva("test", "-i", "cases.jsonl", "--shard", f"{shard}/3", "-o", f"s{shard}.jsonl", "--no-history")
    third = len(project.rows("s3.jsonl")) - 2
    assert project.rows("s3.jsonl")[0]["shard"] == "3/3"
    done = project.viva("merge", "s1.jsonl", "s2.jsonl", "-o", "two.jsonl")
    assert done.code == 1
    assert f"shard 3/3 is missing: {third} cases were not run" in done.err
    assert f"{12 - third} of 12 passed, {third} not run" in done.out
    summary = project.rows("two.jsonl")[-1]
    assert (summary["total"], summary["not_run"], summary["interrupted"]) == (12, third, "incomplete")
    assert summary["warnings"] == [f"shard 3/3 is missing: {third} cases were not run"]
    assert project.viva("merge", *SHARDS).code == 0
    later = project.viva("merge", "two.jsonl", "s3.jsonl", "-o", "all.jsonl")
    assert (later.code, project.rows("all.jsonl")[-1]["total"]) == (0, 12)


def test_a_shard_that_is_given_twice_or_comes_from_another_split_is_told(project: VivaProject):
    project.cases(*({"id": f"T{n}", "input": f"line {n}", **SAYS_ECHO} for n in range(12)))
    for shard in ("1/2", "2/2", "1/3"):
        out = shard.replace("/", "of")
        project.viva("test", "-i", "cases.jsonl", "--shard", shard, "-o", f"{out}.jsonl", "--no-history")
    project.write("copy.jsonl", (project.root / "1of2.jsonl").read_bytes())
    twice = project.viva("merge", "1of2.jsonl", "copy.jsonl", "2of2.jsonl")
    assert twice.code == 1
    assert "shard 1/2 is given more than once" in twice.err
    assert project.viva("merge", "1of2.jsonl", "copy.jsonl", "2of2.jsonl", "--last-wins").code == 0
    mixed = project.viva("merge", "1of3.jsonl", "1of2.jsonl", "2of2.jsonl", "--last-wins")
    assert mixed.code == 1
    assert "parts of different splits: 1/2, 2/2 and 1/3" in mixed.err


def test_a_shard_without_cases_is_not_missed(project: VivaProject):
    project.cases({"id": "T1", "input": "hello", **SAYS_ECHO})
    codes = []
    for shard in (1, 2):
        flags = ("--shard", f"{shard}/2", "-o", f"s{shard}.jsonl", "--pass-with-no-tests", "--no-history")
        codes.append(project.viva("test", "-i", "cases.jsonl", *flags).code)
    [written] = [path.name for path in project.root.glob("s?.jsonl")]
    assert codes == [0, 0]
    assert project.viva("merge", written).code == 0


def test_a_result_counts_more_than_a_row_that_says_not_run(project: VivaProject):
    project.cases({"id": "a", "input": "raise"}, {"id": "b", "input": "x", **SAYS_ECHO})
    project.viva("test", "-i", "cases.jsonl", "--fail-fast", "-o", "stopped.jsonl", "--no-history")
    assert [row["status"] for row in project.rows("stopped.jsonl")[1:-1]] == ["error", "not_run"]
    project.viva("test", "-i", "cases.jsonl::b", "-o", "rest.jsonl", "--no-history")
    for files in (("stopped.jsonl", "rest.jsonl"), ("rest.jsonl", "stopped.jsonl")):
        assert project.viva("merge", *files, "-o", "all.jsonl").code == 1
        assert sorted(row["status"] for row in project.rows("all.jsonl")[1:-1]) == ["error", "passed"]
        (project.root / "all.jsonl").unlink()
