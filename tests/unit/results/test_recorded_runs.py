"""The one way in which commands name recorded runs, and read them case by case."""

import tracemalloc
from pathlib import Path

import pytest
from tests.fakes import results as made
from tests.fakes.kept_runs import keep_run

from vivavoce.errors import UsageError
from vivavoce.model.events import CaseFinished, RunFinished, RunStarted
from vivavoce.project.project import Project
from vivavoce.project.settings import Config
from vivavoce.results.history.database import history_file
from vivavoce.results.journal import JsonlReporter
from vivavoce.results.recorded_runs import recorded_runs


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(root=tmp_path, config=Config())


def result_file(path: Path, *ids: str) -> Path:
    reporter = JsonlReporter(path)
    results = [made.plain(name, line=number) for number, name in enumerate(ids, 1)]
    reporter.handle(RunStarted(made.run_info(len(ids))))
    for result in results:
        reporter.handle(CaseFinished(result))
    reporter.handle(RunFinished(made.run_info(len(ids)), made.summary_of(results)))
    reporter.close()
    return path


def ids(project: Project, *refs: str) -> list[str]:
    return [result.case.id for result in recorded_runs(refs, project).results()]


def test_files_and_kept_runs_are_read_together(project):
    result_file(project.root / "a.jsonl", "T1", "T2")
    keep_run(history_file(project), "cafe00000001", [made.plain("T3")])
    keep_run(history_file(project), "cafe00000002", [made.plain("T4"), made.plain("T5")])
    assert ids(project, "a.jsonl", "last~1") == ["T1", "T2", "T3"]
    assert ids(project, "last") == ids(project) == ["T4", "T5"]
    assert ids(project, "cafe00000001") == ["T3"]


def test_one_case_is_named_by_its_id_or_by_path_and_id(project):
    result_file(project.root / "a.jsonl", "T1", "T2")
    keep_run(history_file(project), "cafe00000001", [made.plain("T3"), made.plain("T4")])
    assert ids(project, "a.jsonl::T2", "last::T3") == ["T2", "T3"]
    assert ids(project, "a.jsonl::tests/expense.jsonl::T1") == ["T1"]
    with pytest.raises(UsageError, match=r"a\.jsonl: there is no case 'T1x' in it .*did you mean 'T1'"):
        ids(project, "a.jsonl::T1x")


def test_a_line_is_whole_wherever_it_was_kept(project):
    file = result_file(project.root / "a.jsonl", "T1")
    start, line, _ = file.read_bytes().splitlines(keepends=True)
    for kept in (line, line.rstrip(), line.rstrip() + b"\r\n"):
        file.write_bytes(start + kept)
        runs = recorded_runs(["a.jsonl"], project)
        found = [runs.recorded_at(place) for place, _ in runs.heads()]
        assert [one.line for one in found if one is not None] == [line]
    keep_run(history_file(project), "cafe00000001", [made.plain("T1", line=1)])
    runs = recorded_runs(["last"], project)
    found = [runs.recorded_at(place) for place, _ in runs.heads()]
    assert [one.line for one in found if one is not None] == [line]


def test_what_is_read_is_what_was_written(project):
    result_file(project.root / "a.jsonl", "T1")
    assert list(recorded_runs(["a.jsonl"], project).results()) == [made.plain("T1", line=1)]


def test_lines_that_cannot_be_read_are_told_with_their_place(project):
    path = result_file(project.root / "a.jsonl", "T1", "T2")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b'{"type":"result","id":3}\n' + b"".join(lines[1:3]) + lines[3][:40])
    runs = recorded_runs(["a.jsonl"], project)
    assert [result.case.id for result in runs.results()] == ["T1", "T2"]
    assert [str(problem.at) for problem in runs.problems] == ["a.jsonl:2", "a.jsonl:5"]
    assert [result.case.id for result in runs.results()] == ["T1", "T2"]
    assert len(runs.problems) == 2, "each line counts once, however often it is read"


@pytest.mark.parametrize(
    ("ref", "what"),
    [("nothere.jsonl", "no such result file"), ("cases.jsonl", "not a result file"), ("last", "there is no run last")],
)
def test_what_is_no_run_is_refused(project, ref: str, what: str):
    (project.root / "cases.jsonl").write_text('{"id": "T1", "input": "hi"}\n')
    with pytest.raises(UsageError, match=what):
        ids(project, ref)


def test_a_long_run_is_never_in_memory_as_a_whole(project):
    path = result_file(project.root / "a.jsonl", *(f"T{n}" for n in range(2000)))
    tracemalloc.start()
    try:
        assert sum(1 for _ in recorded_runs(["a.jsonl"], project).results()) == 2000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < path.stat().st_size / 4
