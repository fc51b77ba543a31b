"""What a killed viva left behind is removed; what a living one uses stays."""

import os
import time
from pathlib import Path

import pytest

from vivavoce.project.left_behind import A_MOMENT_S, lock_in_use, remove_left_behind


def aged(path: Path, seconds: float) -> Path:
    path.write_text("x")
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


@pytest.mark.parametrize(("seconds", "stays"), [(A_MOMENT_S * 2, False), (0, True)])
def test_only_old_ones_are_removed(tmp_path: Path, seconds: float, stays: bool):
    path = aged(tmp_path / ".r.html.123.tmp", seconds)
    remove_left_behind([path])
    assert path.exists() is stays


def test_what_is_in_use_stays(tmp_path: Path):
    path = aged(tmp_path / "a", 1000)
    with path.open() as used:
        lock_in_use(used.fileno())
        remove_left_behind([path])
        assert path.exists()
    remove_left_behind([path])
    assert not path.exists()


def test_links_and_missing_files_are_left_alone(tmp_path: Path):
    path = aged(tmp_path / "a", 1000)
    (tmp_path / "link").symlink_to(path)
    remove_left_behind([tmp_path / "link", tmp_path / "missing"])
    assert (tmp_path / "link").exists()


def test_an_old_folder_is_removed_unless_it_is_in_use(tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()
    aged(folder / "a", 1000)
    os.utime(folder, (time.time() - 1000,) * 2)
    descriptor = os.open(folder, os.O_RDONLY)
    lock_in_use(descriptor)
    remove_left_behind([folder])
    assert folder.exists()
    os.close(descriptor)
    remove_left_behind([folder])
    assert not folder.exists()
