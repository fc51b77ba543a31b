"""Result files and a history written by viva 0.1.0 are read by every command (tests/data/results_0_1_0)."""

import json
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import VivaProject

DATA = Path(__file__).parents[1] / "data" / "results_0_1_0"
STATUSES = {
    **dict.fromkeys(("pass", "tools", "data", "history", "print", "steps", "repeated", "simulated", "kill"), "passed"),
    "fail": "failed",
    "raise": "error",
    "skipped": "skipped",
    "asks-on": "skipped",
}


@pytest.fixture
def old(tmp_path: Path) -> VivaProject:
    project = VivaProject(tmp_path)
    shutil.copytree(DATA / "project", tmp_path, dirs_exist_ok=True)
    for path in DATA.glob("*.jsonl"):
        shutil.copy(path, tmp_path)
    (tmp_path / ".viva").mkdir()
    shutil.copy(DATA / "history.db", tmp_path / ".viva")
    return project


@pytest.mark.parametrize("suffix", ["json", "md", "html", "xml"])
def test_a_report_of_every_kind_names_every_case(old: VivaProject, suffix: str):
    done = old.viva("report", "whole.jsonl", "-o", f"report.{suffix}")
    assert "cannot be read" not in done.text
    written = (old.root / f"report.{suffix}").read_text()
    assert all(name in written for name in STATUSES)


def test_the_json_report_has_the_old_results(old: VivaProject):
    old.viva("report", "whole.jsonl", "-o", "report.json")
    report = json.loads((old.root / "report.json").read_text())
    assert {result["id"]: result["status"] for result in report["results"]} == STATUSES
    assert (report["summary"]["total"], report["summary"]["passed"]) == (13, 9)


def test_a_killed_run_is_reported_as_incomplete(old: VivaProject):
    done = old.viva("report", "killed.jsonl", "-o", "report.json")
    assert "Traceback" not in done.text
    summary = json.loads((old.root / "report.json").read_text())["summary"]
    assert (summary["total"], summary["not_run"], summary["interrupted"]) == (13, 5, "incomplete")


@pytest.mark.parametrize("runs", [("killed.jsonl", "whole.jsonl"), ("last", "last~1"), ("last", "whole.jsonl")])
def test_old_runs_are_compared(old: VivaProject, runs: tuple[str, ...]):
    found = json.loads(old.viva("diff", *runs, "--json").out)
    assert found["after"]["summary"]["passed"] == 9
    assert found["counts"]["added"] == (5 if runs[0] == "killed.jsonl" else 13)
    assert found["counts"]["new_failure"] == 0


def test_an_old_run_does_not_differ_from_itself(old: VivaProject):
    found = json.loads(old.viva("diff", "last~1", "whole.jsonl", "--json").out)
    assert [change["change"] for change in found["changes"]] == ["still_failing"] * 2
    assert found["counts"]["same"] == 11


def test_the_old_history_is_listed(old: VivaProject):
    runs = json.loads(old.viva("history", "--json").out)
    assert [(run["state"], run["passed"]) for run in runs] == [("killed", 0), ("finished", 9)]
    assert old.viva("test", "-i", "cases.jsonl", "-n", "old", "--lf", "--dry-run").out.count("cases.jsonl") == 2


def test_old_shards_are_merged(old: VivaProject):
    done = old.viva("merge", "shard-1.jsonl", "shard-2.jsonl", "-o", "all.jsonl", "-o", "all.html")
    assert done.code == 1
    assert old.statuses("all.jsonl").keys() == STATUSES.keys()
    assert [row["index"] for row in old.rows("all.jsonl")[1:-1]] == list(range(1, 14))


@pytest.mark.parametrize("name", ["killed", "whole"])
def test_cases_of_an_old_run_run_again_since_it_does_not_say_what_it_was_made_with(old: VivaProject, name: str):
    before = old.rows(f"{name}.jsonl")
    done = old.viva("test", "-i", "cases.jsonl", "-n", "old", "-j", "1", "--resume", f"{name}.jsonl")
    assert "0 of 13 cases done" in done.err
    assert "it cannot be told whether it was made with the same agent and options" in done.err
    assert old.statuses(f"{name}.jsonl") == STATUSES
    assert old.rows(f"{name}.before-resume.jsonl") == before


def test_old_cases_are_extracted_and_frozen(old: VivaProject):
    assert "13 cases written" in old.viva("extract", "whole.jsonl", "-o", "cases").out
    done = old.viva("freeze", "whole.jsonl", "--id", "steps", "-o", "frozen.jsonl")
    assert "steps → frozen.jsonl::steps (2 turns)" in done.out
