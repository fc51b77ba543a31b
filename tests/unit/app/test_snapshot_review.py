"""What a recorded run saw instead of the approved values, compared with the cases of today."""

import json
from pathlib import Path
from typing import Any

import pytest

from vivavoce import run
from vivavoce.app.opening import open_project
from vivavoce.app.snapshot_review import Review, review
from vivavoce.snapshots.places import snap_of
from vivavoce.snapshots.snap_file import SnapFile

SNAPSHOT = {"type": "snapshot"}


class Runs:
    def __init__(self, root: Path) -> None:
        self.file = root / "a.jsonl"

    def case(self, *checks: dict[str, Any], case_id: str = "A") -> None:
        self.file.write_text(json.dumps({"id": case_id, "input": "hi", "assert": list(checks)}) + "\n")

    def run(self, answer: str) -> None:
        Path("out.jsonl").unlink(missing_ok=True)
        run("a.jsonl", agent=lambda text: answer, outputs="out.jsonl", history=False)

    def review(self, *paths: str) -> Review:
        return review(open_project(None), ["out.jsonl"], paths)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    made = Runs(tmp_path)
    made.case(SNAPSHOT)
    made.run("first")
    made.run("second")
    return made


def test_a_difference_is_shown_against_what_is_approved(runs: Runs):
    (one,) = runs.review().pending
    verdict = one.verdict(one.seen[0])
    assert verdict is not None
    assert verdict.reason == "output changed: output was 'second', wanted 'first'"


def test_accepting_makes_it_the_approved_value(runs: Runs):
    (one,) = runs.review().pending
    one.accept(one.seen[0])
    assert SnapFile(snap_of(runs.file)).approved() == {"A": {"output": "second"}}
    assert runs.review().pending == []


def test_a_check_that_failed_beside_it_is_told(runs: Runs):
    runs.case(SNAPSHOT, {"type": "contains", "value": "third"})
    runs.run("second")
    (one,) = runs.review().pending
    assert "another check did not pass" in one.seen[0].notes[0]


@pytest.mark.parametrize(
    ("checks", "case_id", "why"),
    [
        ([SNAPSHOT], "B", "the case is gone"),
        ([], "A", "no such check"),
        ([{**SNAPSHOT, "similar": 0.5}], "A", "reads differently"),
    ],
)
def test_what_does_not_fit_the_cases_of_today_is_left_out(runs: Runs, checks: list[Any], case_id: str, why: str):
    runs.case(*checks, case_id=case_id)
    found = runs.review()
    assert found.pending == []
    assert why in found.left_out[0]


def test_only_the_files_named_are_reviewed(runs: Runs, tmp_path: Path):
    (tmp_path / "other").mkdir()
    assert runs.review("other").pending == []
    assert len(runs.review(".").pending) == 1
