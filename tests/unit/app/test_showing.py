"""A recorded run told again."""

import io
from pathlib import Path

import pytest
from tests.fakes import results

import vivavoce
from vivavoce.app.opening import open_project
from vivavoce.app.showing import open_shown, recorded_events, recorded_results
from vivavoce.errors import UsageError
from vivavoce.model.events import CaseFinished, RunFinished, RunStarted
from vivavoce.results.journal import write_result_file


@pytest.fixture
def recorded(tmp_path: Path) -> str:
    out = io.StringIO()
    write_result_file(results.report_of([results.plain("a"), results.wrong_argument()]), out)
    path = tmp_path / "run.jsonl"
    path.write_text(out.getvalue())
    return str(path)


def test_the_events_come_as_they_came(recorded: str, tmp_path: Path):
    run, case = open_shown(recorded, open_project(None, tmp_path))
    assert case is None
    assert [type(event) for event in recorded_events(run)] == [RunStarted, CaseFinished, CaseFinished, RunFinished]


@pytest.mark.parametrize("named", ["pay-1", "tests/pay.jsonl::pay-1"])
def test_a_case_is_named_by_its_id_or_its_key(recorded: str, tmp_path: Path, named: str):
    run, case = open_shown(f"{recorded}::{named}", open_project(None, tmp_path))
    assert case == named
    assert [result.case.id for result in recorded_results(run, named)] == ["pay-1"]


def test_a_case_that_is_not_there_is_told(recorded: str, tmp_path: Path):
    run, _ = open_shown(recorded, open_project(None, tmp_path))
    with pytest.raises(UsageError, match=r"has no case 'pay-2' \(did you mean 'pay-1'\?\)"):
        recorded_results(run, "pay-2")


@pytest.mark.parametrize("named", ["greets", "cases.jsonl::greets"])
def test_a_bare_case_is_one_of_the_newest_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases.jsonl").write_text(
        '{"id": "greets", "input": "Hello", "assert": {"type": "contains", "value": "H"}}\n'
    )
    vivavoce.run("cases.jsonl", agent=lambda messages: "Hello", history=True)
    run, case = open_shown(named, open_project(None, tmp_path))
    assert [result.case.id for result in recorded_results(run, case or "")] == ["greets"]


def test_what_is_neither_a_run_nor_a_case_is_told(tmp_path: Path):
    with pytest.raises(UsageError, match="'nonsense' is no result file and no run"):
        open_shown("nonsense", open_project(None, tmp_path))
