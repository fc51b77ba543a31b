"""The attempts of recorded runs by their case, wherever its file lies by now."""

from pathlib import Path

import pytest
from msgspec import structs
from tests.fakes import results as made
from tests.unit.results.test_recorded_runs import result_file

from vivavoce.model.case import Case, Origin
from vivavoce.project.project import Project
from vivavoce.project.settings import Config
from vivavoce.results.recorded_cases import RecordedCases
from vivavoce.results.recorded_runs import recorded_runs


@pytest.fixture
def recorded(tmp_path: Path) -> RecordedCases:
    """T1 in two runs, T2 in one of them."""
    files = [result_file(tmp_path / "1.jsonl", "T1", "T2"), result_file(tmp_path / "2.jsonl", "T1")]
    return RecordedCases(recorded_runs([str(file) for file in files], Project(root=tmp_path, config=Config())))


def case(case_id: str, path: str | None = None) -> Case:
    found = made.plain(case_id).case
    return found if path is None else structs.replace(found, origin=Origin(path, 1))


def test_a_case_has_the_attempts_of_all_runs(recorded: RecordedCases):
    assert [recorded.attempts(case(name)) for name in ("T1", "T2", "T3")] == [2, 1, 0]
    assert recorded.attempt(case("T1"), 2) is not None
    assert recorded.attempt(case("T1"), 3) is None


def test_a_case_that_was_moved_is_found_by_the_name_of_its_file(recorded: RecordedCases):
    name = Path(case("T1").origin.path).name
    assert recorded.attempts(case("T1", f"elsewhere/{name}")) == 2
    assert recorded.attempts(case("T1", "elsewhere/other.jsonl")) == 0


def test_what_nobody_asked_for_is_named(recorded: RecordedCases):
    recorded.attempts(case("T1"))
    assert [key.rpartition("::")[2] for key in recorded.not_asked_for()] == ["T2"]


def test_an_attempt_comes_with_its_line(recorded: RecordedCases, tmp_path: Path):
    found = recorded.attempt(case("T2"), 1)
    assert found is not None
    assert found.case.id == "T2"
    assert found.line in (tmp_path / "1.jsonl").read_bytes().splitlines(keepends=True)
    assert found.attempt is found.result.attempts[0]
