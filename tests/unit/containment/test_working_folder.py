"""Relative paths are meant from where viva was called, also after user code has left it or deleted its own."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.fakes.examining import case_of

from vivavoce.containment.working_folder import here, kept_working_folder, path_from_here
from vivavoce.engine.resolve import agent_for, resolve_agent
from vivavoce.project.packages import find_package
from vivavoce.project.project import Project


@pytest.fixture(params=["left", "gone"])
def project(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Called in a package below the project's root, with user code that went elsewhere since."""
    package = tmp_path / "project/packages/faq"
    package.mkdir(parents=True)
    (package / "package.yao").write_text("{}")
    (package / "cases.jsonl").touch()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(package)
    with kept_working_folder():
        os.chdir(elsewhere)
        if request.param == "gone":
            shutil.rmtree(elsewhere)
        yield Project(root=tmp_path / "project")
    assert Path.cwd() == package


LOOKUPS: list[Callable[[Project], bool]] = [
    lambda project: project.shown("cases.jsonl") == project.shown(here() / "cases.jsonl") == "cases.jsonl",
    lambda project: path_from_here(project.root / "viva.yaml") == "../../viva.yaml",
    lambda project: agent_for(case_of(input="hi"), None, project) == str(here()),
    lambda project: resolve_agent("./", project).config["package"] == str(here()),
    lambda project: find_package("../faq", project).samefile(here()),
]


@pytest.mark.parametrize("is_found", LOOKUPS)
def test_what_was_named_is_still_found(project: Project, is_found: Callable[[Project], bool]):
    assert is_found(project)
