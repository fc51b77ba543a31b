"""Files are whole or not there, and what a killed process left is removed by the next one that writes the file."""

import os
import time
from pathlib import Path

import pytest

from vivavoce.project.left_behind import lock_in_use, remove_left_behind
from vivavoce.project.locked_files import change_file
from vivavoce.project.whole_files import whole_file, write_whole


def left_by_a_killed_process(path: Path) -> Path:
    left = path.with_name(f".{path.name}.4711.tmp")
    left.write_text("half")
    os.utime(left, (time.time() - 1000,) * 2)
    return left


@pytest.mark.parametrize("name", ["r.html", "t[1].jsonl", "a*b.md", "q?"])
@pytest.mark.parametrize(
    "write",
    [
        lambda path: write_whole("new", path),
        lambda path: write_whole(b"new", path),
        lambda path: change_file(path, lambda _: "new"),
        lambda path: change_file(path, lambda text: text),
    ],
    ids=["text", "bytes", "change", "no change"],
)
def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path, name: str, write):
    path = tmp_path / name
    path.write_text("new")
    left_by_a_killed_process(path)
    other = left_by_a_killed_process(tmp_path / f"{name}.other")
    write(path)
    assert sorted(tmp_path.iterdir()) == sorted([path, other])
    assert path.read_text() == "new"


def test_what_a_living_writer_has_not_finished_stays(tmp_path: Path):
    path = tmp_path / "r.html"
    left = left_by_a_killed_process(path)
    with left.open() as used:
        lock_in_use(used.fileno())
        write_whole("new", path)
        assert left.exists()


def test_a_file_that_takes_long_to_write_is_not_removed_meanwhile(tmp_path: Path):
    path = tmp_path / "r.html"
    with whole_file(path) as out:
        out.write("new")
        (fresh,) = tmp_path.iterdir()
        os.utime(fresh, (time.time() - 1000,) * 2)
        remove_left_behind([fresh])
    assert path.read_text() == "new"


def test_whoever_breaks_leaves_the_file_as_it_was(tmp_path: Path):
    path = tmp_path / "r.html"
    path.write_text("old")

    def half_of_it() -> None:
        with whole_file(path) as out:
            out.write("half")
            raise KeyError

    with pytest.raises(KeyError):
        half_of_it()
    assert [*tmp_path.iterdir()] == [path]
    assert path.read_text() == "old"
