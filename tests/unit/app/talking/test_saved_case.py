import resource
from pathlib import Path

import pytest

from vivavoce.app.talking.saved_case import checked_file, save, suggested_file
from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.project.settings import Config


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    return Project(root=root, config=Config(tests="tests"))


def test_a_free_name_below_the_tests_is_suggested(project: Project):
    assert suggested_file(project, "a.yaml") == "tests/a.yaml"
    (project.root / "tests" / "a.yaml").touch()
    assert suggested_file(project, "a.yaml") == "tests/a-2.yaml"


def test_the_case_and_its_files_are_written(project: Project):
    save(checked_file(project, "tests/new/a.yaml"), "name: a\n", {"a.files/b.txt": b"milk"})
    assert (project.root / "tests" / "new" / "a.yaml").read_text() == "name: a\n"
    assert (project.root / "tests" / "new" / "a.files" / "b.txt").read_bytes() == b"milk"


@pytest.mark.parametrize(
    "file",
    [
        *("../a.yaml", "/tmp/a.yaml", "link/a.yaml", "tests/../../a.yaml", "dangling.yaml"),
        *("a.py", "a", "", "tests/", ".git/hooks/a.yaml", "tests/.a.yaml", "viva.yaml", "a\0.yaml", "tests/old.yaml"),
    ],
)
def test_no_other_place_is_written_to(project: Project, file: str):
    (project.root / "link").symlink_to(project.root.parent)
    (project.root / "dangling.yaml").symlink_to(project.root.parent / "elsewhere.yaml")
    (project.root / "tests" / "old.yaml").write_text("mine\n")
    with pytest.raises(UsageError):
        checked_file(project, file)
    assert (project.root / "tests" / "old.yaml").read_text() == "mine\n"


def test_nothing_is_written_over_or_through_a_link(project: Project, tmp_path: Path):
    path = checked_file(project, "tests/a.yaml")
    path.symlink_to(tmp_path / "elsewhere.yaml")
    with pytest.raises(FileExistsError):
        save(path, "name: a\n", {})
    (project.root / "tests" / "b.files").symlink_to(tmp_path)
    with pytest.raises(UsageError, match="exists already"):
        save(checked_file(project, "tests/b.yaml"), "name: b\n", {"b.files/x.txt": b"x"})
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["project"]


def test_half_a_case_is_not_left_where_there_is_no_room(project: Project):
    path = checked_file(project, "tests/a.yaml")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            save(path, "name: a\n" * 100, {})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not path.exists()
