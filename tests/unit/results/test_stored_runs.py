"""A run by its name: a result file, `last`, or an id of the history."""

from pathlib import Path

import pytest
from tests.fakes.kept_runs import keep_run
from tests.fakes.results import plain, wrong_argument
from tests.unit.results.test_file_run import written

from vivavoce.errors import UsageError
from vivavoce.model.result import Status
from vivavoce.project.project import Project
from vivavoce.results.history.database import history_file
from vivavoce.results.history.reading import History
from vivavoce.results.stored_runs import StoredRun, open_run, result_at, run_as_json, run_named


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(root=tmp_path)
    keep_run(history_file(project), "aaaa1111", [plain("A")])
    keep_run(history_file(project), "bbbb2222", [plain(f"T{n}", line=n) for n in range(1, 6)])
    return project


def test_names_of_runs(project: Project, tmp_path: Path):
    assert run_named("last", project) == "bbbb2222"
    assert run_named("last~1", project) == "aaaa1111"
    assert run_named("aaaa", project) == "aaaa1111"
    path = written(tmp_path / "out.jsonl", [plain()])
    assert run_named(str(path), project) == path


@pytest.mark.parametrize("ref", ["none.jsonl", "folder/none"])
def test_what_looks_like_a_file_is_looked_for_as_one(ref: str, project: Project):
    with pytest.raises(UsageError, match="no such result file"):
        run_named(ref, project)


def test_a_stored_run_gives_its_rows_at_any_place(project: Project):
    run = open_run("last", project)
    assert isinstance(run, StoredRun)
    assert [result_at(run, place).case.id for place in (3, 0, 4)] == ["T4", "T1", "T5"]
    assert run.row(5) is None
    assert run.row(-1) is None
    assert len(list(run.rows())) == 5
    assert [outcome.id for outcome in run.outcomes()] == ["T1", "T2", "T3", "T4", "T5"]


def test_heads_are_a_window(project: Project):
    heads = open_run("last", project).heads(1, 2)
    assert [b"T2" in heads[0], b"T3" in heads[1], len(heads)] == [True, True, 2]


def test_a_file_and_the_history_give_the_same_results(project: Project, tmp_path: Path):
    results = [plain("A"), wrong_argument()]
    keep_run(history_file(project), "cccc3333", results)
    of_file = open_run(str(written(tmp_path / "out.jsonl", results)), project)
    stored = open_run("cccc", project)
    assert list(of_file.rows()) == list(stored.rows())
    assert of_file.outcomes() == stored.outcomes()
    assert result_at(stored, 1).status is Status.FAILED


def test_a_run_that_was_removed_meanwhile(project: Project):
    run = StoredRun(History(history_file(project)), "gone0000")
    with pytest.raises(UsageError, match="gone0000 is no longer kept"):
        run.kept()


def test_a_run_as_json(project: Project):
    told = run_as_json(open_run("aaaa", project).kept())
    assert (told["id"], told["state"], told["results"]) == ("aaaa1111", "finished", 1)
    assert told["summary"]["overall_pass_rate"] == 100.0
    assert told["start"]["agent_id"] == "assistants.expense"
