"""Rejudging in a process of its own: what it writes down, and that the user's code stays inside."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import vivavoce
from vivavoce.app.rejudge_process import rejudged

CASE = {"id": "T1", "input": "pay", "assert": {"type": "contains", "value": "pay"}}


@pytest.fixture(autouse=True)
async def _recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("viva.yaml").write_text("{}\n")
    write(CASE)
    await vivavoce.arun("cases.jsonl", agent=lambda text: f"You said {text}", outputs="out.jsonl", history=False)


def write(*cases: dict[str, Any]) -> None:
    Path("cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases))


async def test_an_unchanged_case_changes_nothing():
    found = await rejudged("out.jsonl", ask_judges=True, config=None)
    assert (found.problem, found.judged, found.changed) == ("", 1, 0)


async def test_a_changed_check_is_told_with_both_verdicts():
    write({**CASE, "assert": {"type": "contains", "value": "sunk"}})
    found = await rejudged("out.jsonl", ask_judges=True, config=None)
    assert found.changed == 1
    [change] = found.changes
    assert (change.key, change.was.value, change.now.value) == ("cases.jsonl::T1", "passed", "failed")


async def test_a_case_that_says_other_lines_is_stale_and_a_new_one_not_recorded():
    write({**CASE, "input": "other"}, {**CASE, "id": "T2"})
    found = await rejudged("out.jsonl", ask_judges=True, config=None)
    assert (found.stale, found.not_recorded, found.judged) == (1, 1, 0)


async def test_what_a_user_can_cause_is_part_of_the_outcome():
    found = await rejudged("nowhere.jsonl", ask_judges=True, config=None)
    assert "nowhere.jsonl" in found.problem


def test_the_process_writes_its_outcome_to_the_file():
    command = [sys.executable, "-P", "-m", "vivavoce.app.rejudge_process"]
    done = subprocess.run(
        [*command, "out.jsonl", "result.json", "no", "viva.yaml"], capture_output=True, text=True, check=True
    )
    assert (done.stdout, json.loads(Path("result.json").read_text())["judged"]) == ("", 1)


async def test_lines_that_cannot_be_read_are_counted():
    lines = Path("out.jsonl").read_bytes().splitlines(keepends=True)
    Path("cut.jsonl").write_bytes(b"".join(lines[:2]) + lines[1][:40])
    assert (await rejudged("cut.jsonl", ask_judges=False, config=None)).unreadable == 1
