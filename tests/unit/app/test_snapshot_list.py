"""The list of snapshots: what is approved, missing and obsolete, and what may be removed."""

import json
from pathlib import Path
from typing import Any

import pytest

from vivavoce.app.opening import open_project
from vivavoce.app.snapshot_list import Survey, delete_obsolete, survey
from vivavoce.snapshots.places import snap_of
from vivavoce.snapshots.snap_file import SnapFile

SNAPSHOT = {"type": "snapshot"}
TOOLS = {"type": "snapshot", "of": "tools"}


class CaseFolder:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.file = root / "tests" / "a.jsonl"
        self.file.parent.mkdir()
        (root / "viva.yaml").write_text("tests: tests\n")

    def cases(self, *cases: dict[str, Any]) -> None:
        self.file.write_text("".join(json.dumps({"input": "hi", **case}) + "\n" for case in cases))

    def approve(self, case_id: str, **values: Any) -> None:
        with self.snap.locked():
            self.snap.write({case_id: values})

    @property
    def snap(self) -> SnapFile:
        return SnapFile(snap_of(self.file))

    def survey(self, *paths: str) -> Survey:
        return survey(open_project(None), paths)

    def states(self, *paths: str) -> dict[str, str]:
        return {f"{entry.case} {entry.name}": entry.state for entry in self.survey(*paths).entries}


@pytest.fixture
def tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CaseFolder:
    monkeypatch.chdir(tmp_path)
    return CaseFolder(tmp_path)


def test_each_snapshot_has_a_state(tests: CaseFolder):
    tests.cases({"id": "A", "assert": [SNAPSHOT, TOOLS]}, {"id": "B"})
    tests.approve("A", output="x", old=1)
    tests.approve("B", output="x")
    tests.approve("gone", output="x")
    assert tests.states() == {
        "A old": "obsolete",
        "A output": "approved",
        "A tools": "missing",
        "B output": "obsolete",
        "gone output": "obsolete",
    }


@pytest.mark.parametrize("path", ["tests", "tests/a.jsonl", "tests/__snapshots__/a.jsonl.snap.yaml"])
def test_a_folder_a_case_file_or_a_snapshot_file_may_be_named(tests: CaseFolder, path: str):
    tests.cases({"id": "A", "assert": SNAPSHOT})
    tests.approve("A", output="x")
    assert tests.states(path) == {"A output": "approved"}


def test_all_snapshots_of_a_file_that_is_gone_are_obsolete_and_the_folder_goes_with_them(tests: CaseFolder):
    tests.approve("A", output="x")
    found = tests.survey()
    assert [entry.why for entry in found.entries] == ["the case file is gone"]
    assert found.problems == []
    assert delete_obsolete(found.entries) == 1
    assert not tests.snap.path.parent.exists()


def test_nothing_of_a_file_that_cannot_be_read_is_obsolete(tests: CaseFolder):
    tests.file.write_text('{"id": "A", "input": "hi", "assert": {"type": "snapshot"}}\n{"id": "B", "input"\n')
    tests.approve("A", output="x")
    tests.approve("B", output="x")
    found = tests.survey()
    assert {entry.case: entry.state for entry in found.entries} == {"A": "approved", "B": "unknown"}
    assert len(found.problems) == 1
    assert delete_obsolete(found.entries) == 0


def test_a_damaged_snapshot_file_is_reported(tests: CaseFolder):
    tests.cases({"id": "A", "assert": SNAPSHOT})
    tests.approve("A", output="x")
    tests.snap.path.write_text("<<<<<<< ours\n")
    assert ["merge conflict" in problem.what for problem in tests.survey().problems] == [True]


def test_a_name_with_a_variable_is_never_obsolete(tests: CaseFolder):
    tests.cases({"id": "A", "assert": {"type": "snapshot", "name": "of ${DAY}"}})
    tests.approve("A", **{"of Monday": "x"})
    assert tests.states() == {"A of Monday": "approved"}


def test_removing_keeps_what_is_approved(tests: CaseFolder):
    tests.cases({"id": "A", "assert": SNAPSHOT})
    tests.approve("A", output="x", old="y")
    tests.approve("gone", output="z")
    assert delete_obsolete(tests.survey().entries) == 2
    assert tests.snap.approved() == {"A": {"output": "x"}}
