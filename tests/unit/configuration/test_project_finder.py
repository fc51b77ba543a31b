"""Where a project's configuration lies, and what it says."""

from pathlib import Path

import pytest

from vivavoce.configuration.project_finder import find_project, project_root, read_config
from vivavoce.errors import UsageError


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_the_nearest_configuration_upward_counts(tmp_path: Path):
    write(tmp_path, "viva.yaml", "agent: outer\n")
    write(tmp_path, "inner/viva.yaml", "agent: inner\n")
    deep = tmp_path / "inner" / "tests"
    deep.mkdir()
    assert find_project(deep).config.agent == "inner"
    assert find_project(tmp_path).config.agent == "outer"
    assert project_root(deep) == tmp_path / "inner"


def test_a_file_of_defaults_alone_is_no_project(tmp_path: Path):
    write(tmp_path, "viva.yaml", "agent: outer\n")
    write(tmp_path, "tests/viva.yaml", "defaults: {tags: [x]}\n")
    assert find_project(tmp_path / "tests").root == tmp_path
    assert project_root(tmp_path / "tests") == tmp_path


def test_pyproject_may_hold_it(tmp_path: Path):
    write(tmp_path, "pyproject.toml", '[tool.viva]\nagent = "shop"\n')
    found = find_project(tmp_path)
    assert (found.config.agent, found.config_path) == ("shop", tmp_path / "pyproject.toml")
    assert project_root(tmp_path) == tmp_path
    write(tmp_path, "pyproject.toml", "[tool.viva\n")
    with pytest.raises(UsageError, match="bad TOML"):
        find_project(tmp_path)


def test_packages_make_a_project_without_a_configuration(tmp_path: Path):
    package = write(tmp_path, "app/assistants/helper/package.yao", "{}").parent
    assert find_project(package).root == tmp_path / "app"
    assert find_project(tmp_path / "app").root == tmp_path / "app"
    assert project_root(package) == tmp_path / "app"


def test_without_any_the_folder_of_the_inputs_counts(tmp_path: Path):
    write(tmp_path, "there/viva.yaml", "agent: shop\n")
    (tmp_path / "here").mkdir()
    assert find_project(tmp_path / "here", inputs_at=tmp_path / "there").config.agent == "shop"
    nothing = find_project(tmp_path / "here")
    assert (nothing.root, nothing.config_path) == (tmp_path / "here", None)


def test_a_named_file_counts_wherever_it_is(tmp_path: Path):
    path = write(tmp_path, "other/mine.yaml", "agent: named\n")
    found = find_project(tmp_path, str(path))
    assert (found.root, found.config.agent) == (path.parent, "named")
    assert project_root(tmp_path, str(path)) == path.parent
    with pytest.raises(UsageError, match="no such configuration file"):
        find_project(tmp_path, str(tmp_path / "gone.yaml"))


def test_a_broken_configuration_is_found_but_not_read(tmp_path: Path):
    path = write(tmp_path, "viva.yaml", "agnt: x\n")
    assert project_root(tmp_path) == tmp_path
    with pytest.raises(UsageError, match=r"viva.yaml:1: unknown field 'agnt' \(did you mean 'agent'"):
        read_config(path)
    assert read_config(write(tmp_path, "empty.yaml", "")).agent is None
