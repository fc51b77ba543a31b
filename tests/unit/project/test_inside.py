from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.project.inside import inside_path


def test_a_path_of_the_project_is_found(tmp_path: Path):
    assert inside_path("tests/a.yaml", tmp_path) == tmp_path.resolve() / "tests" / "a.yaml"


@pytest.mark.parametrize("path", ["../a.yaml", "/etc/passwd", "tests/../../a.yaml", "a\0b", "link/a.yaml"])
def test_a_path_that_leads_out_of_the_project_is_refused(tmp_path: Path, path: str):
    root = tmp_path / "project"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    with pytest.raises(UsageError, match="lies outside the project"):
        inside_path(path, root)
