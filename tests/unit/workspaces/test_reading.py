import os
from pathlib import Path

import pytest

from vivavoce.workspaces.reading import CannotLook, content_of, found_inside, is_inside


def test_a_pipe_is_not_waited_for(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(CannotLook, match="no ordinary file"):
        content_of(str(tmp_path / "pipe"))


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path):
    (tmp_path / "big").write_text("12345")
    with pytest.raises(CannotLook, match="more than"):
        content_of(str(tmp_path / "big"), limit=4)


@pytest.mark.parametrize("path", ["", "/etc/passwd", "..", "a/../../b", "a\0b"])
def test_paths_that_leave_the_workspace_as_written(path: str):
    assert not is_inside(path)


def test_a_link_inside_is_followed(tmp_path: Path):
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "link").symlink_to("a.txt")
    assert found_inside(str(tmp_path), "link") == str(tmp_path / "a.txt")
    assert found_inside(str(tmp_path), "a.txt/b") is None
    assert found_inside(str(tmp_path), "nothing") is None


@pytest.mark.parametrize("target", ["/etc/hostname", "/etc/nothing", "../outside"])
def test_a_link_that_leads_out_is_not_followed(tmp_path: Path, target: str):
    workspace = tmp_path / "copy"
    workspace.mkdir()
    (tmp_path / "outside").write_text("x")
    (workspace / "link").symlink_to(target)
    with pytest.raises(CannotLook, match="leads out"):
        found_inside(str(workspace), "link")


def test_a_link_that_leads_nowhere_is_neither_there_nor_absent(tmp_path: Path):
    (tmp_path / "link").symlink_to("nothing")
    with pytest.raises(CannotLook, match="nowhere"):
        found_inside(str(tmp_path), "link")


def test_a_workspace_that_was_replaced_by_a_link_is_gone(tmp_path: Path):
    (tmp_path / "copy").symlink_to("/etc")
    with pytest.raises(CannotLook, match="gone"):
        found_inside(str(tmp_path / "copy"), "hostname")
