"""The file under the result lines: full disks, deletion, two writers."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from vivavoce.results.journal_file import JournalFile, is_being_written


def test_lines_are_there_as_soon_as_they_are_written(tmp_path: Path):
    journal = JournalFile(tmp_path / "new" / "out.jsonl")
    journal.append(b"one\n")
    assert journal.path.read_bytes() == b"one\n"
    journal.close()


def test_what_was_in_the_file_before_is_gone(tmp_path: Path):
    (tmp_path / "out.jsonl").write_text("old and long\n")
    journal = JournalFile(tmp_path / "out.jsonl")
    journal.append(b"new\n")
    journal.close()
    assert (tmp_path / "out.jsonl").read_bytes() == b"new\n"


def test_two_cannot_write_the_same_file_and_the_first_one_loses_nothing(tmp_path: Path):
    first = JournalFile(tmp_path / "out.jsonl")
    first.append(b"mine\n")
    assert is_being_written(first.path)
    with pytest.raises(BlockingIOError, match="another viva"):
        JournalFile(tmp_path / "out.jsonl")
    assert first.path.read_bytes() == b"mine\n"
    first.close()
    assert not is_being_written(first.path)
    JournalFile(tmp_path / "out.jsonl").close()


def test_a_deleted_file_is_noticed_and_can_be_moved_with_all_it_held(tmp_path: Path):
    journal = JournalFile(tmp_path / "out.jsonl")
    journal.append(b"one\n" * 700_000)
    (tmp_path / "out.jsonl").unlink()
    with pytest.raises(FileNotFoundError, match="deleted"):
        journal.append(b"two\n")
    journal.move(tmp_path / "refuge" / "out.jsonl")
    journal.append(b"two\n")
    journal.close()
    assert (tmp_path / "refuge" / "out.jsonl").read_bytes() == b"one\n" * 700_000 + b"two\n"


def test_a_full_disk_leaves_whole_lines_and_the_journal_can_go_on_elsewhere(tmp_path: Path):
    journal = JournalFile(Path("/dev/full"))
    with pytest.raises(OSError, match="No space left"):
        journal.append(b"one\n")
    journal.move(tmp_path / "out.jsonl")
    journal.append(b"one\n")
    journal.close()
    assert (tmp_path / "out.jsonl").read_bytes() == b"one\n"


async def test_lines_that_come_together_are_written_together_within_a_moment(tmp_path: Path):
    path = tmp_path / "out.jsonl"
    journal = JournalFile(path)
    journal.append(b"one\n")
    journal.append(b"two\n")
    assert path.read_bytes() == b""
    await asyncio.sleep(0.1)
    assert path.read_bytes() == b"one\ntwo\n"
    journal.append(b"three\n")
    journal.append(b"four\n", at_once=True)
    assert path.read_bytes() == b"one\ntwo\nthree\nfour\n"
    journal.append(b"five\n")
    journal.close()
    assert path.read_bytes().endswith(b"five\n")


async def test_what_could_not_be_written_a_moment_later_is_told_next_and_moves_along(tmp_path: Path):
    journal = JournalFile(tmp_path / "out.jsonl")
    journal.append(b"one\n", at_once=True)
    (tmp_path / "out.jsonl").unlink()
    journal.append(b"two\n")
    await asyncio.sleep(0.1)
    with pytest.raises(FileNotFoundError, match="deleted"):
        journal.append(b"three\n")
    journal.move(tmp_path / "refuge.jsonl")
    journal.append(b"three\n")
    journal.close()
    assert (tmp_path / "refuge.jsonl").read_bytes() == b"one\ntwo\nthree\n"


async def test_closing_tells_of_lines_that_found_no_place():
    journal = JournalFile(Path("/dev/full"))
    journal.append(b"one\n")
    with pytest.raises(OSError, match="No space left"):
        journal.close()


def test_a_file_that_takes_only_a_part_of_a_line_is_cut_back(tmp_path: Path):
    """A limit on the size of files stands for the disk: it takes the first bytes and refuses the rest."""
    code = """
import resource, sys
from pathlib import Path
from vivavoce.results.journal_file import JournalFile
resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
journal = JournalFile(Path(sys.argv[1]))
journal.append(b"x" * 29 + b"\\n")
try:
    journal.append(b"y" * 29 + b"\\n")
except OSError as error:
    print(error.strerror)
journal.append(b"z" * 9 + b"\\n")
"""
    path = tmp_path / "out.jsonl"
    said = subprocess.run(
        [sys.executable, "-B", "-c", code, str(path)], capture_output=True, text=True, check=True
    ).stdout
    assert said == "File too large\n"
    assert path.read_bytes() == b"x" * 29 + b"\n" + b"z" * 9 + b"\n"


def test_a_refuge_that_fails_too_leaves_nothing_behind(tmp_path: Path):
    journal = JournalFile(tmp_path / "out.jsonl")
    journal.append(b"one\n")
    link = tmp_path / "refuge.jsonl"
    link.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space"):
        journal.move(link)
    assert not link.is_symlink()
    journal.append(b"two\n")
    journal.close()
    assert (tmp_path / "out.jsonl").read_bytes() == b"one\ntwo\n"


def test_renaming_puts_the_file_in_the_place_of_another_and_it_goes_on(tmp_path: Path):
    (tmp_path / "out.jsonl").write_text("torn")
    journal = JournalFile(tmp_path / ".fresh")
    journal.append(b"one\n")
    journal.rename(tmp_path / "out.jsonl")
    journal.append(b"two\n")
    journal.close()
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    assert (tmp_path / "out.jsonl").read_bytes() == b"one\ntwo\n"
