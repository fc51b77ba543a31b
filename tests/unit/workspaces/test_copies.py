import os
import tempfile
import time
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.workspaces.copies import PREFIX, Copies


@pytest.fixture(autouse=True)
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tmp").mkdir()
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.txt").write_text("x")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / "tmp"


def test_each_attempt_has_a_copy_of_its_own_with_the_name_of_the_original(tmp_path: Path):
    copies = Copies()
    one, two = (copies.make(str(tmp_path / "shop"), "shop", "a case/1") for _ in range(2))
    assert Path(one.folder).name == Path(two.folder).name == "shop"
    Path(one.folder, "a.txt").write_text("y")
    assert Path(two.folder, "a.txt").read_text() == "x"
    copies.close()


def test_nothing_is_left(tmp_path: Path, temporary_folder: Path):
    copies = Copies()
    workspace = copies.make(str(tmp_path / "shop"), "shop", "a")
    assert copies.remove(workspace) is None
    assert not Path(workspace.folder).parent.exists()
    copies.close()
    assert list(temporary_folder.iterdir()) == []


def test_kept_copies_stay(tmp_path: Path):
    copies = Copies(keep=True)
    workspace = copies.make(str(tmp_path / "shop"), "shop", "a")
    copies.remove(workspace)
    copies.close()
    assert Path(workspace.folder, "a.txt").exists()


def test_a_folder_that_cannot_be_copied_leaves_nothing(tmp_path: Path, temporary_folder: Path):
    copies = Copies()
    with pytest.raises(UsageError):
        copies.make(str(tmp_path / "nothing"), "nothing", "a")
    copies.close()
    assert list(temporary_folder.iterdir()) == []


def test_the_copies_of_a_killed_viva_are_removed_and_those_of_a_living_one_are_not(
    tmp_path: Path, temporary_folder: Path
):
    dead = temporary_folder / f"{PREFIX}dead"
    dead.mkdir()
    (dead / "in-use").touch()
    living = Copies()
    workspace = living.make(str(tmp_path / "shop"), "shop", "a")
    long_ago = time.time() - 3600
    for lock in temporary_folder.glob("*/in-use"):
        os.utime(lock, (long_ago, long_ago))
    dead.joinpath("1-a").mkdir()
    other = Copies()
    other.make(str(tmp_path / "shop"), "shop", "b")
    assert not dead.exists()
    assert Path(workspace.folder).exists()
    living.close()
    other.close()
