import os
import socket
from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.workspaces.copying import checked_survey, copy_folder, remove_copy
from vivavoce.workspaces.survey import Limits


def test_a_copy_has_the_same_content_modes_and_links_but_not_the_same_files(tmp_path: Path):
    original, copy = tmp_path / "shop", tmp_path / "copy"
    (original / "sub").mkdir(parents=True)
    (original / "sub" / "run.sh").write_text("#!/bin/sh\n")
    (original / "sub" / "run.sh").chmod(0o755)
    (original / "link").symlink_to("sub/run.sh")
    (original / "sub").chmod(0o555)
    copied = copy_folder(str(original), str(copy), Limits())
    assert (copy / "sub" / "run.sh").read_text() == "#!/bin/sh\n"
    assert os.access(copy / "sub" / "run.sh", os.X_OK)
    assert os.readlink(copy / "link") == "sub/run.sh"
    assert not os.path.samefile(copy / "sub" / "run.sh", original / "sub" / "run.sh")
    assert copied["sub/run.sh"].digest
    assert remove_copy(str(copy)) is None
    assert not copy.exists()
    (original / "sub").chmod(0o755)


@pytest.mark.parametrize("target", ["/etc", "..", "../beside", "up/.."])
def test_a_link_that_leads_out_is_refused(tmp_path: Path, target: str):
    shop = tmp_path / "shop"
    shop.mkdir()
    (shop / "up").symlink_to(".")
    (shop / "link").symlink_to(target)
    with pytest.raises(UsageError, match="the link link leads out of it"):
        checked_survey(str(shop), Limits())


def test_an_absolute_link_is_refused_though_it_leads_inside(tmp_path: Path):
    """In the copy it would lead to the original, which the agent could then change."""
    (tmp_path / "note.txt").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "note.txt")
    with pytest.raises(UsageError, match="the link link leads out of it"):
        checked_survey(str(tmp_path), Limits())


def test_special_files_are_refused(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="pipe is neither a file, a folder nor a link"):
        checked_survey(str(tmp_path), Limits())
    (tmp_path / "pipe").unlink()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(tmp_path / "s"))
        with pytest.raises(UsageError, match="s is neither"):
            checked_survey(str(tmp_path), Limits())


def test_too_large_a_folder_is_refused_before_anything_is_copied(tmp_path: Path):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a").write_text("12345")
    with pytest.raises(UsageError, match="has more than 4 bytes"):
        copy_folder(str(tmp_path / "shop"), str(tmp_path / "copy"), Limits(size=4))
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize(("name", "words"), [("nothing", "there is no folder"), ("file", "is not a folder")])
def test_what_is_no_folder_is_refused(tmp_path: Path, name: str, words: str):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match=words):
        checked_survey(str(tmp_path / name), Limits())


def test_folders_without_rights_are_removed_too(tmp_path: Path):
    locked = tmp_path / "copy" / "locked"
    locked.mkdir(parents=True)
    (locked / "a").write_text("x")
    locked.chmod(0)
    assert remove_copy(str(tmp_path / "copy")) is None
    assert not (tmp_path / "copy").exists()
