"""Where results go: what is refused before the run, what is written in it, what is left when it broke."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.result_builders import attempt, case, result

from vivavoce.app.outputs import Outputs, check_writable, write_document, write_named_file
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.events import CaseFinished, RunFinished, RunStarted
from vivavoce.model.result import RunInfo, Summary
from vivavoce.model.tally import Tally
from vivavoce.project.project import Project
from vivavoce.project.settings import Config
from vivavoce.project.whole_files import whole_file
from vivavoce.results.result_file import read_result_file

INFO = RunInfo(run_id="r1", started_at="2026-01-01T00:00:00Z", agent_id="a", total_cases=1)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(root=tmp_path, config=Config())


def run_into(outputs: Outputs) -> Summary:
    """A run of one case that passed."""
    one = result(case("T1", "hi"), attempt())
    tally = Tally(1)
    outputs.handle(RunStarted(INFO))
    outputs.handle(CaseFinished(one))
    tally.add(one)
    summary = tally.summary()
    outputs.handle(RunFinished(INFO, summary))
    outputs.close()
    return summary


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".viva")


# ── before the run ──


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("folder.json", r"folder\.json is a directory \(give a file name\)"),
        ("r.xyz", r"r\.xyz"),
        ("pipe.json", r"pipe\.json is a pipe"),
        ("agent.py/r.json", r"cannot write agent\.py/r\.json: "),
    ],
)
def test_a_place_that_cannot_be_written_is_known_before_anything_runs(project: Project, name: str, said: str):
    (project.root / "folder.json").mkdir()
    (project.root / "agent.py").write_text("")
    os.mkfifo(project.root / "pipe.json")
    before = names(project.root)
    with pytest.raises(VivaError, match=said):
        Outputs(project, [name], None)
    assert names(project.root) == before


def test_looking_whether_a_place_can_be_written_leaves_nothing_and_changes_nothing(project: Project):
    check_writable(project.root / "new.json")
    (project.root / "old.json").write_text("mine")
    check_writable(project.root / "old.json")
    assert (names(project.root), (project.root / "old.json").read_text()) == (["old.json"], "mine")


def test_a_default_that_cannot_be_written_goes_to_vivas_own_folder_and_is_told(project: Project):
    (project.root / "file").write_text("")
    outputs = Outputs(project, [], Path("file/output.jsonl"))
    run_into(outputs)
    [warning] = outputs.warnings
    assert "results go to .viva instead" in warning
    assert outputs.files == [project.state_dir / "output.jsonl"]


# ── in the run ──


def test_the_journal_and_every_document_are_written(project: Project):
    outputs = Outputs(project, ["r.jsonl", "out/r.json", "out/r.md"], Path("never.jsonl"))
    outputs.write_documents(INFO, run_into(outputs))
    assert [row["type"] for row in map(json.loads, Path("r.jsonl").read_text().splitlines())] == [
        "start",
        "result",
        "summary",
    ]
    assert json.loads(Path("out/r.json").read_text())["results"][0]["id"] == "T1"
    assert names(project.root) == ["out", "r.jsonl"]
    assert outputs.files == [Path("r.jsonl"), Path("out/r.json"), Path("out/r.md")]


def test_without_an_output_it_is_the_default_under_a_name_that_is_free(project: Project):
    Path("output.jsonl").write_text("an older run")
    outputs = Outputs(project, [], Path("output.jsonl"))
    run_into(outputs)
    assert Path("output.jsonl").read_text() == "an older run"
    [written] = outputs.files
    assert written != Path("output.jsonl")
    assert [one.case.id for one in read_result_file(written).results()] == ["T1"]


def test_documents_alone_are_made_from_a_scratch_file_that_goes(project: Project):
    outputs = Outputs(project, ["r.json"], None)
    assert (outputs.has_journal, outputs.files) == (True, [Path("r.json")])
    outputs.write_documents(INFO, run_into(outputs))
    outputs.remove_scratch()
    assert list(project.state_dir.glob("journal-*")) == []


def test_a_document_that_cannot_be_written_leaves_the_results_and_says_where(project: Project):
    outputs = Outputs(project, ["out/r.json"], None)
    summary = run_into(outputs)
    Path("out").rmdir()
    Path("out").write_text("in the way")
    with pytest.raises(VivaError) as told:
        outputs.write_documents(INFO, summary)
    outputs.remove_scratch()
    [kept] = project.state_dir.glob("journal-*")
    assert str(kept) in str(told.value.hint)


def test_a_run_that_never_began_leaves_no_file(project: Project):
    Outputs(project, ["r.jsonl"], None).close()
    assert names(project.root) == []


def test_a_direct_message_leaves_no_file(project: Project):
    outputs = Outputs(project, [], None)
    run_into(outputs)
    assert (outputs.has_journal, outputs.result_file, names(project.root)) == (False, None, [])


# ── a run that goes on with another ──


def test_the_unfinished_file_stays_whole_until_the_new_one_holds_what_was_kept(project: Project):
    Path("r.jsonl").write_text("unfinished")
    outputs = Outputs(project, [], None, resumed=Path("r.jsonl"))
    outputs.handle(RunStarted(INFO))
    assert Path("r.jsonl").read_text() == "unfinished"
    outputs.handle(CaseFinished(result(case("T1", "hi"), attempt())))
    assert Path("r.jsonl").read_text() != "unfinished"
    outputs.close()
    assert names(project.root) == ["r.jsonl"]


def test_a_run_that_was_to_go_on_and_broke_leaves_what_it_found(project: Project):
    Path("r.jsonl").write_text("unfinished")
    outputs = Outputs(project, [], None, resumed=Path("r.jsonl"))
    outputs.handle(RunStarted(INFO))
    outputs.close()
    assert (Path("r.jsonl").read_text(), names(project.root)) == ("unfinished", ["r.jsonl"])


# ── whole or not at all ──


def test_a_reader_never_meets_half_a_file(project: Project):
    path = project.root / "r.md"
    path.write_text("before")

    def fails() -> None:
        with whole_file(path) as out:
            out.write("half of")
            out.flush()
            assert path.read_text() == "before"
            raise KeyError("broken")

    with pytest.raises(KeyError):
        fails()
    assert (path.read_text(), names(project.root)) == ("before", ["r.md"])


def test_a_file_that_o_named_gets_its_folders_and_a_complaint_names_it(project: Project):
    write_named_file(Path("a/b/r.txt"), lambda out: _ignored(out.write("done")))
    assert Path("a/b/r.txt").read_text() == "done"
    with pytest.raises(VivaError, match=r"^-o: cannot write a/b/r\.txt/x: "):
        write_named_file(Path("a/b/r.txt/x"), lambda out: None)


def _ignored(_: Any) -> None:
    return None


def test_a_result_file_that_another_viva_writes_is_left_alone(project: Project):
    writing = Outputs(project, ["r.jsonl"], None)
    writing.handle(RunStarted(INFO))
    other = Outputs(project, ["r.json"], None)
    report = other.report(INFO, run_into(other))
    with pytest.raises(BlockingIOError, match="another viva is writing it"):
        write_document("jsonl", report, Path("r.jsonl"))
    writing.close()


def test_a_format_nobody_knows_is_a_usage_error_with_those_there_are(project: Project):
    with pytest.raises(UsageError) as refused:
        Outputs(project, ["r.pdf"], None)
    assert ".jsonl" in str(refused.value)
