"""A result file as a run: finished, growing, broken off, overwritten."""

import os
import time
from pathlib import Path

import pytest
from tests.fakes.kept_runs import keep_run
from tests.fakes.results import events_of, every_kind, outcome_of, plain, summary_of, wrong_argument

from vivavoce.errors import UsageError
from vivavoce.model.events import CaseFinished, RunStarted
from vivavoce.model.result import CaseResult
from vivavoce.project.project import Project
from vivavoce.results.file_run import FileRun
from vivavoce.results.history.reading import History
from vivavoce.results.history.records import RunState
from vivavoce.results.journal import JsonlReporter
from vivavoce.results.stored_runs import open_run, result_in
from vivavoce.viewer.library import Library


def written(path: Path, results: list[CaseResult]) -> Path:
    reporter = JsonlReporter(path)
    for event in events_of(results):
        reporter.handle(event)
    reporter.close()
    return path


def cut_off(path: Path, results: list[CaseResult]) -> Path:
    """As a killed run leaves it: no summary, half a line at the end."""
    lines = written(path, results).read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-2]) + lines[-2][:40])
    return path


def test_a_finished_file_is_the_whole_run(tmp_path: Path):
    results = every_kind()
    run = FileRun(written(tmp_path / "out.jsonl", results))
    kept = run.kept()
    assert (kept.state, kept.results, kept.summary) == (RunState.FINISHED, len(results), summary_of(results))
    assert run.outcomes() == [outcome_of(result) for result in results]
    assert [result_in(row).case.id for row in run.rows()] == [result.case.id for result in results]
    row = run.row(2)
    assert row is not None
    assert row.startswith(b"{")
    assert row.endswith(b"}")
    assert run.row(len(results)) is None


def test_a_growing_file_is_read_on_from_where_it_ended(tmp_path: Path):
    path = tmp_path / "out.jsonl"
    reporter = JsonlReporter(path)
    started, *_ = events_of([plain(), plain()])
    assert isinstance(started, RunStarted)
    reporter.handle(started)
    run = FileRun(path)
    assert (run.kept().state, run.kept().results) == (RunState.RUNNING, 0)
    reporter.handle(CaseFinished(plain("a")))
    assert (run.kept().results, run.kept().summary.not_run, run.kept().summary.interrupted) == (1, 1, None)
    with path.open("ab") as torn:
        torn.write(b'{"type":"result","id":"half')
    assert run.kept().results == 1
    with path.open("ab") as rest:
        rest.write(b'","status":"failed"}\n')
    assert run.kept().results == 2
    assert run.kept().summary.warnings == ()
    reporter.close()


def test_a_run_whose_cases_take_long_still_runs(tmp_path: Path):
    path = tmp_path / "out.jsonl"
    reporter = JsonlReporter(path)
    reporter.handle(next(iter(events_of([plain()]))))
    os.utime(path, (time.time() - 600, time.time() - 600))
    run = FileRun(path)
    assert run.kept().state is RunState.RUNNING
    reporter.close()
    os.utime(path, (time.time() - 600, time.time() - 600))
    assert run.kept().state is RunState.KILLED


def test_a_file_that_nobody_writes_any_more_was_broken_off(tmp_path: Path):
    path = cut_off(tmp_path / "out.jsonl", [plain("a"), wrong_argument(), plain("c")])
    os.utime(path, (time.time() - 600, time.time() - 600))
    kept = FileRun(path).kept()
    assert kept.state is RunState.KILLED
    assert (kept.summary.passed, kept.summary.failed, kept.summary.not_run) == (1, 1, 1)
    assert kept.summary.interrupted == "incomplete"


def test_a_file_written_anew_is_read_anew(tmp_path: Path):
    path = written(tmp_path / "out.jsonl", every_kind())
    run = FileRun(path)
    assert run.kept().results > 2
    written(path, [plain("new")])
    assert run.kept().results == 1
    assert [result_in(row).case.id for row in run.rows()] == ["new"]


def test_lines_that_cannot_be_read_are_counted_not_hidden(tmp_path: Path):
    path = written(tmp_path / "out.jsonl", [plain()])
    path.write_bytes(path.read_bytes() + b'{"type":"result"}\n\n[]\n')
    kept = FileRun(path).kept()
    assert kept.results == 1
    assert kept.summary.warnings == ("2 lines of the file cannot be read",)


@pytest.mark.parametrize("content", [b"", b"hello\n", b'{"id": "a", "input": "hi"}\n'])
def test_a_file_of_something_else_is_the_users_to_know(tmp_path: Path, content: bytes):
    path = tmp_path / "cases.jsonl"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="not a result file of viva"):
        open_run(str(path), Project(root=tmp_path))


def test_a_path_that_leads_nowhere_is_not_taken_for_a_run(tmp_path: Path):
    with pytest.raises(UsageError, match=r"no such result file: gone\.jsonl"):
        open_run("gone.jsonl", Project(root=tmp_path))


def test_a_run_in_a_file_and_in_the_history_is_listed_once(tmp_path: Path):
    path = written(tmp_path / "out.jsonl", [plain()])
    run_id = FileRun(path).kept().info.run_id
    keep_run(tmp_path / "history.db", run_id, [plain()])
    keep_run(tmp_path / "history.db", "another", [plain()])
    library = Library(History(tmp_path / "history.db"), [path])
    assert sorted(run.info.run_id for run in library.runs()) == sorted([run_id, "another"])
    assert isinstance(library.find(run_id), FileRun)
    assert library.find("nothing") is None
