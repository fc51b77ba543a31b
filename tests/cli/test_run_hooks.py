"""`--before` and `--after` in the real process."""

import json

import pytest
from tests.cli.conftest import VivaProject

HOOKS = """
import json, pathlib

def prepare(run, ctx):
    pathlib.Path("prepared.json").write_text(json.dumps(run))
    print("printed by the hook")
    return {"GREETING": "moin"}

def refuse():
    assert False, "the database is down"

def breaks():
    raise ValueError("boom")

def clean(run, summary, data):
    pathlib.Path("cleaned.json").write_text(json.dumps([run["run_id"], summary["passed"], data]))

async def clean_async(run):
    print("printed by the async hook")
    pathlib.Path("cleaned.json").write_text("[]")
"""


@pytest.fixture
def hooked(project: VivaProject) -> VivaProject:
    project.write("scripts/around.py", HOOKS)
    project.cases({"id": "A", "input": "${GREETING:-nothing}", "expected": "echo: moin"})
    return project


def run(project: VivaProject, *flags: str):
    return project.viva("test", "-i", "cases.jsonl", "-o", "out.jsonl", *flags)


def test_what_before_returns_is_known_to_the_cases_and_handed_to_after(hooked: VivaProject):
    done = run(hooked, "--before", "around.prepare", "--after", "scripts:around.clean")
    assert done.code == 0, done.text
    assert "printed by the hook" in done.err
    assert "printed by the hook" not in done.out
    run_id, passed, data = json.loads((hooked.root / "cleaned.json").read_text())
    prepared = json.loads((hooked.root / "prepared.json").read_text())
    assert (run_id, passed, data) == (prepared["run_id"], 1, {"GREETING": "moin"})
    assert prepared["total_cases"] == 1


@pytest.mark.parametrize(
    ("ref", "why"), [("around.refuse", "the database is down"), ("around.breaks", "ValueError: boom")]
)
def test_when_before_fails_nothing_runs_and_the_exit_is_3(hooked: VivaProject, ref: str, why: str):
    done = run(hooked, "--before", ref, "--after", "around.clean")
    assert done.code == 3
    assert why in done.err
    assert "before hook" in done.err
    assert not (hooked.root / "out.jsonl").exists()
    assert not (hooked.root / "cleaned.json").exists()
    assert not list((hooked.root / ".viva").glob("journal-*"))


def test_after_runs_without_before_and_whatever_failed(hooked: VivaProject):
    done = run(hooked, "--after", "around.clean")
    assert done.code == 1
    assert json.loads((hooked.root / "cleaned.json").read_text())[1:] == [0, None]


def test_an_async_hook_keeps_stdout_clean(hooked: VivaProject):
    done = run(hooked, "--after", "around.clean_async")
    assert "printed by the async hook" not in done.out
    assert (hooked.root / "cleaned.json").exists()


def test_when_after_fails_the_results_stay_and_the_exit_is_3(hooked: VivaProject):
    done = run(hooked, "--before", "around.prepare", "--after", "around.breaks", "-o", "report.md")
    assert done.code == 3
    assert "warning: after hook: script 'around.breaks': ValueError: boom" in done.err
    assert hooked.statuses() == {"A": "passed"}
    assert (hooked.root / "report.md").exists()


@pytest.mark.parametrize("flag", ["--before", "--after"])
@pytest.mark.parametrize("ref", ["nowhere", "around.nothing"])
def test_a_hook_that_is_not_there_is_told_before_anything_runs(hooked: VivaProject, flag: str, ref: str):
    done = run(hooked, flag, ref)
    assert done.code == 2
    assert flag in done.err
    assert not (hooked.root / "out.jsonl").exists()
