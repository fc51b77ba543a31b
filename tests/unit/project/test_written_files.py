"""Files that viva wrote may be replaced by it, others may not."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.project import Project
from vivavoce.project.written_files import note_written, refuse_foreign


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(root=tmp_path)


def test_a_file_of_a_person_is_refused(project: Project, tmp_path: Path):
    (tmp_path / "mine.md").write_text("my words")
    with pytest.raises(UsageError, match="was not written by viva"):
        refuse_foreign(tmp_path / "mine.md", project, at="-o")


def test_a_file_of_viva_may_be_replaced_until_somebody_changes_it(project: Project, tmp_path: Path):
    path = tmp_path / "report.md"
    path.write_text("report")
    note_written(path, project)
    refuse_foreign(path, project, at="-o")
    path.write_text("report, with my notes")
    with pytest.raises(UsageError):
        refuse_foreign(path, project, at="-o")


def test_missing_and_empty_files_may_be_written(project: Project, tmp_path: Path):
    refuse_foreign(tmp_path / "missing", project, at="-o")
    (tmp_path / "empty").touch()
    refuse_foreign(tmp_path / "empty", project, at="-o")


def test_a_damaged_list_refuses_rather_than_loses(project: Project, tmp_path: Path):
    path = tmp_path / "report.md"
    path.write_text("report")
    note_written(path, project)
    (tmp_path / ".viva" / "written.json").write_text("{")
    with pytest.raises(UsageError):
        refuse_foreign(path, project, at="-o")
