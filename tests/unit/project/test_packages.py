"""One resolver of agent packages."""

from pathlib import Path

import pytest

from vivavoce.project.packages import find_package, package_id
from vivavoce.project.project import Project


def package(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "package.yao").write_text("{}")
    return folder


def test_a_package_is_found_by_id_path_and_shipped_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    project = Project(root=tmp_path)
    pay = package(tmp_path / "assistants" / "workers" / "pay")
    here = package(tmp_path / "elsewhere" / "bot")
    monkeypatch.chdir(tmp_path / "elsewhere")
    for name in ("workers.pay", "assistants.workers.pay", "assistants/workers/pay", str(pay)):
        assert find_package(name, project) == pay
    assert find_package("./bot", project) == here
    shipped = find_package("viva.simulator", project)
    assert shipped is not None
    assert package_id(shipped, project) == "viva.simulator"
    assert find_package("nobody", project) is None


def test_an_id_counts_before_a_path_of_the_same_name(tmp_path: Path):
    package(tmp_path / "pay")
    meant = package(tmp_path / "assistants" / "pay")
    assert find_package("pay", Project(root=tmp_path)) == meant
