"""The `defaults:` of folders."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.sources.folder_defaults import FolderDefaults


def above(root: Path, text: str) -> FolderDefaults:
    (root / "tests").mkdir()
    (root / "tests" / "viva.yaml").write_text(text)
    return FolderDefaults(Project(root=root))


def test_they_are_found_beside_the_case_file(tmp_path: Path):
    [case] = above(tmp_path, "defaults: {tags: [polite]}\n").above(tmp_path / "tests" / "a.jsonl")
    assert case.tags == ("polite",)


@pytest.mark.parametrize("key", ["defalts", "default", "Defaults"])
def test_a_misspelt_key_is_refused(tmp_path: Path, key: str):
    with pytest.raises(UsageError, match="did you mean 'defaults'"):
        above(tmp_path, f"{key}:\n  assert: {{tools: {{forbid: [pay]}}}}\n").above(tmp_path / "tests" / "a.jsonl")


def test_the_configuration_of_a_project_inside_is_left_alone(tmp_path: Path):
    assert above(tmp_path, "agents: {}\nrun: {parallel: 2}\n").above(tmp_path / "tests" / "a.jsonl") == ()
