"""The `defaults:` of folders."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.project.settings import Config
from vivavoce.sources.folder_defaults import FolderDefaults


def above(root: Path, text: str) -> FolderDefaults:
    (root / "tests").mkdir()
    (root / "tests" / "viva.yaml").write_text(text)
    return FolderDefaults(Project(root=root))


def test_they_are_found_beside_the_case_file(tmp_path: Path):
    [case] = above(tmp_path, "defaults: {tags: [polite]}\n").above(tmp_path / "tests" / "a.jsonl")
    assert case.tags == ("polite",)


def test_folders_outside_the_project_have_no_say_however_the_file_is_named(tmp_path: Path):
    above(tmp_path, "agent: shop\n")
    (tmp_path / "inner").mkdir()
    inner = FolderDefaults(Project(root=tmp_path / "inner"))
    assert inner.above(tmp_path / "inner" / ".." / "tests" / "a.jsonl") == ()


@pytest.mark.parametrize("key", ["defalts", "default", "Defaults"])
def test_a_misspelt_key_is_refused(tmp_path: Path, key: str):
    with pytest.raises(UsageError, match="did you mean 'defaults'"):
        above(tmp_path, f"{key}:\n  assert: {{tools: {{forbid: [pay]}}}}\n").above(tmp_path / "tests" / "a.jsonl")


@pytest.mark.parametrize(
    "text", ["agent: shop", "defaults: {tags: [x]}\nagent: shop", "assertions: [{type: contains, value: x}]"]
)
def test_what_stands_beside_it_is_refused_instead_of_lost(tmp_path: Path, text: str):
    defaults = above(tmp_path, f"{text}\n")
    with pytest.raises(UsageError, match=r"viva.yaml:1: '(agent|assertions)' holds .* only under `defaults:`"):
        defaults.above(tmp_path / "tests" / "a.jsonl")


def test_the_configuration_of_a_project_inside_is_left_alone(tmp_path: Path):
    text = "agents: {shop: {python: a.py:f}}\nagent: shop\nrun: {parallel: 2}\n"
    assert above(tmp_path, text).above(tmp_path / "tests" / "a.jsonl") == ()


def test_a_project_s_own_configuration_may_name_its_agent(tmp_path: Path):
    (tmp_path / "viva.yaml").write_text("agent: shop\ndefaults: {tags: [x]}\n")
    project = Project(root=tmp_path, config_path=tmp_path / "viva.yaml", config=Config(defaults={"tags": ["x"]}))
    [case] = FolderDefaults(project).above(tmp_path / "a.jsonl")
    assert case.tags == ("x",)
