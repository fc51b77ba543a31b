"""A name that `defaults:` give to cases is wrong in the line of the defaults."""

from pathlib import Path

import pytest
from tests.fakes.surroundings import write_files

from vivavoce.errors import UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.project.project import Project
from vivavoce.sources.discover import sources_for
from vivavoce.sources.shared_places import SharedPlaces, place_in_defaults

FOLDER = "# for all\ndefaults:\n  tags: [x]\n  agent: nobody\n"
TWO = '{"id": "a", "input": "hi"}\n{"id": "b", "agent": "nobody", "input": "hi"}\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.chdir(tmp_path)
    return Project(root=tmp_path)


def cases(project: Project, path: str) -> list[Case]:
    [source] = sources_for([path], project)
    return [found for found in source.read() if isinstance(found, Case)]


def test_the_line_of_a_folder(project: Project):
    write_files(project.root, {"tests/viva.yaml": FOLDER, "tests/deep/a.jsonl": TWO})
    a, b = cases(project, "tests/deep/a.jsonl")
    assert (a.agent, b.agent) == ("nobody", "nobody")
    assert place_in_defaults("agent", a, project) == Origin("tests/viva.yaml", 4)
    assert place_in_defaults("agent", b, project) is None


def test_the_innermost_folder_that_sets_the_field(project: Project):
    inner = "defaults: {before: scripts:x.y}\n"
    write_files(project.root, {"tests/viva.yaml": FOLDER, "tests/deep/viva.yaml": inner, "tests/deep/a.jsonl": TWO})
    a, _ = cases(project, "tests/deep/a.jsonl")
    assert place_in_defaults("agent", a, project) == Origin("tests/viva.yaml", 4)
    assert place_in_defaults("before", a, project) == Origin("tests/deep/viva.yaml", 1)
    assert place_in_defaults("after", a, project) is None


def test_the_first_document_of_a_file(project: Project):
    turns = "turns: [{user: hi}]\n"
    text = f"defaults:\n  agent: nobody\n---\nname: one\n{turns}---\nname: two\nagent: nobody\n{turns}"
    write_files(project.root, {"a.viva.yaml": text})
    one, two = cases(project, "a.viva.yaml")
    assert place_in_defaults("agent", one, project) == Origin("a.viva.yaml", 2)
    assert place_in_defaults("agent", two, project) is None


def test_rows_of_a_table(project: Project):
    template = '{"id": "r", "each": "t.csv", "input": "${q}"}\n'
    write_files(project.root, {"tests/viva.yaml": FOLDER, "tests/a.jsonl": template, "tests/t.csv": "q\nhi\nho\n"})
    _, second = cases(project, "tests/a.jsonl")
    assert place_in_defaults("agent", second, project) == Origin("tests/viva.yaml", 4)


@pytest.mark.parametrize("path", ["", "gone.jsonl", "notes.txt", "broken.viva.yaml"])
def test_nothing_is_known_of_what_is_no_readable_case_file(project: Project, path: str):
    write_files(project.root, {"notes.txt": "hi", "broken.viva.yaml": "a: [\n"})
    assert place_in_defaults("agent", Case(id="a", origin=Origin(path, 1), agent="x"), project) is None


def test_the_files_are_read_once_for_a_name(project: Project):
    write_files(project.root, {"viva.yaml": FOLDER, "a.jsonl": TWO})
    a, b = cases(project, "a.jsonl")
    places = SharedPlaces(project)
    assert places.of("agent", "nobody", a) == Origin("viva.yaml", 4)
    (project.root / "a.jsonl").unlink()
    assert places.of("agent", "nobody", b) == Origin("viva.yaml", 4)
    assert places.of("agent", "other", b) == b.origin


def test_a_run_and_a_validation_name_the_line(project: Project):
    import vivavoce

    write_files(project.root, {"tests/viva.yaml": FOLDER, "tests/a.jsonl": '{"id": "a", "input": "hi"}\n'})
    write_files(project.root, {"viva.yaml": "agents: {shop: {python: 'shop.py:reply'}}\n", "shop.py": ""})
    with pytest.raises(UsageError) as error:
        vivavoce.run("tests")
    assert str(error.value).startswith("tests/viva.yaml:4: unknown agent 'nobody'")
