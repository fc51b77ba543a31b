"""What every run starts from: the project, its .env file, its sources, and which cases are wanted."""

import io
import os
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.surroundings import write_files

import vivavoce
from vivavoce.app.opening import open_project, selection_of, sources_of
from vivavoce.app.request import RunRequest
from vivavoce.errors import UsageError
from vivavoce.model.case import Case
from vivavoce.project.project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    files = {"viva.yaml": "tests: cases\n", "cases/a.jsonl": '{"id": "A", "input": "hi"}\n{"id": "B", "input": "ho"}\n'}
    write_files(tmp_path, files)
    return open_project(None)


def ids(sources: list[Any]) -> list[str]:
    return [one.id if isinstance(one, Case) else str(one) for source in sources for one in source.read()]


# ── the project ──


def test_the_env_file_fills_in_what_the_environment_does_not_say(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("VIVA_TEST_SAID", "by the shell")
    monkeypatch.delenv("VIVA_TEST_NEW", raising=False)
    write_files(project.root, {".env": "VIVA_TEST_SAID=by the file\nVIVA_TEST_NEW=by the file\n"})
    open_project(None)
    assert (os.environ["VIVA_TEST_SAID"], os.environ.pop("VIVA_TEST_NEW")) == ("by the shell", "by the file")


def test_without_a_project_here_it_is_the_one_around_the_first_input(project: Project, monkeypatch: pytest.MonkeyPatch):
    elsewhere = project.root.parent / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert open_project(None, inputs=[str(project.root / "cases" / "a.jsonl")]).root == project.root


# ── its sources ──


def test_without_inputs_the_projects_own_tests_are_read(project: Project):
    assert ids(sources_of(project, [])) == ["A", "B"]


def test_inputs_and_messages_are_read_in_this_order(project: Project):
    assert ids(sources_of(project, ["cases/a.jsonl::B"], ["hello there"])) == ["B", "T001"]


def test_a_dash_is_standard_input(project: Project):
    typed = io.BytesIO(b'{"id": "typed", "input": "hi"}\n')
    assert ids(sources_of(project, ["-"], stdin=typed)) == ["typed"]


# ── which of the cases ──


def selection(project: Project, **options: Any) -> Any:
    return selection_of(project, RunRequest.of(options, {}))


def test_the_options_become_data(project: Project):
    found = selection(project, pattern="A", keywords="pay", marks="slow", shard="2/5", sample=3, seed=7)
    assert (found.pattern, found.keywords, found.marks) == ("A", "pay", "slow")
    assert (found.shard, found.sample, found.seed) == ((2, 5), 3, 7)


def test_last_failed_needs_an_earlier_run(project: Project):
    with pytest.raises(UsageError, match="no earlier run to take failures from"):
        selection(project, last_failed=True)
    assert selection(project, failed_first=True).first == frozenset()


async def test_what_failed_last_is_selected_or_put_first(project: Project):
    await vivavoce.arun("cases", agent=lambda text: 1 / 0 if text == "ho" else text, history=True)
    assert selection(project, last_failed=True).keys == frozenset({"cases/a.jsonl::B"})
    for flag in ({"failed_first": True}, {"order": "failed-first"}):
        found = selection(project, **flag)
        assert (found.keys, found.first) == (None, frozenset({"cases/a.jsonl::B"}))


async def test_when_nothing_failed_all_are_taken_and_that_is_said(project: Project, capsys: pytest.CaptureFixture[str]):
    await vivavoce.arun("cases", agent=lambda text: text, history=True)
    assert selection(project, last_failed=True).keys is None
    assert "nothing failed last time, so all cases are taken" in capsys.readouterr().err
