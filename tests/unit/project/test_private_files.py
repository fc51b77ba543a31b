"""Files and folders for their owner alone."""

import os
from pathlib import Path

from vivavoce.project.private_files import make_private_folder, make_state_folder, opener_like, private_opener


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_new_file_is_the_owners_alone_whatever_the_mask_says(tmp_path: Path):
    before = os.umask(0)
    try:
        with open(tmp_path / "a", "w", opener=private_opener):
            pass
    finally:
        os.umask(before)
    assert mode(tmp_path / "a") == 0o600


def test_a_file_that_replaces_another_keeps_its_mode(tmp_path: Path):
    (tmp_path / "old").write_text("")
    (tmp_path / "old").chmod(0o644)
    with open(tmp_path / "fresh", "w", opener=opener_like(tmp_path / "old")):
        pass
    assert mode(tmp_path / "fresh") == 0o644
    with open(tmp_path / "other", "w", opener=opener_like(tmp_path / "missing")):
        pass
    assert mode(tmp_path / "other") == 0o600


def test_every_folder_that_is_made_is_private_and_none_that_was_there_changes(tmp_path: Path):
    (tmp_path / "there").mkdir(mode=0o755)
    make_private_folder(tmp_path / "there" / "a" / "b")
    assert (mode(tmp_path / "there"), mode(tmp_path / "there/a"), mode(tmp_path / "there/a/b")) == (0o755, 0o700, 0o700)


def test_the_folder_of_an_older_viva_is_closed(tmp_path: Path):
    (tmp_path / ".viva").mkdir(mode=0o755)
    make_state_folder(tmp_path / ".viva")
    assert mode(tmp_path / ".viva") == 0o700
    assert (tmp_path / ".viva/.gitignore").read_text() == "*\n"
