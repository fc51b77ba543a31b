"""A recording replaces the last one whole, and nothing else that lies in its place."""

import os
import time
from pathlib import Path

import pytest

from vivavoce.errors import CallFailed
from vivavoce.targets.recording_folder import RecordingFolder


def recorded(root: Path, case_id: str = "src", *, answers: int = 1) -> None:
    folder = RecordingFolder(root, case_id)
    for number in range(1, answers + 1):
        folder.write(f"{number:02}.answer.json", b"{}")
    folder.close()


def there(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in root.rglob("*") if path.is_file()}


def as_file(place: Path):
    place.write_text("mine")


def as_folder(place: Path):
    place.mkdir()
    (place / "main.py").write_text("mine")


def as_folder_below(place: Path):
    (place / "below").mkdir(parents=True)
    (place / "below/main.py").write_text("mine")


def as_link(place: Path):
    place.with_name("elsewhere").mkdir()
    place.symlink_to("elsewhere")


def as_dead_link(place: Path):
    place.symlink_to("nowhere")


def as_note_beside_answers(place: Path):
    recorded(place.parent, place.name)
    (place / "notes.md").write_text("mine")


@pytest.mark.parametrize("made", [as_file, as_folder, as_folder_below, as_link, as_dead_link, as_note_beside_answers])
def test_what_is_no_recording_is_refused_and_stays(tmp_path: Path, made):
    made(tmp_path / "src")
    before = there(tmp_path)
    with pytest.raises(CallFailed, match=r"is no recording of viva, and would be lost: give another folder") as refused:
        RecordingFolder(tmp_path, "src")
    assert refused.value.fault == "test"
    assert there(tmp_path) == before
    assert os.path.lexists(tmp_path / "src")


def test_the_last_recording_is_replaced_whole(tmp_path: Path):
    recorded(tmp_path, answers=3)
    recorded(tmp_path, answers=1)
    assert [*there(tmp_path)] == ["src/01.answer.json"]


def test_nothing_said_leaves_the_last_recording(tmp_path: Path):
    recorded(tmp_path)
    recorded(tmp_path, answers=0)
    assert [*there(tmp_path)] == ["src/01.answer.json"]


def test_what_a_killed_recording_left_is_removed_by_the_next_one_of_the_case(tmp_path: Path):
    killed = RecordingFolder(tmp_path, "src")
    killed.write("01.answer.json", b"half")
    mine = tmp_path / ".src.3.11"
    mine.mkdir()
    (left,) = tmp_path.glob(".src.*.recording")
    for folder in (left, mine):
        os.utime(folder, (time.time() - 1000,) * 2)
    recorded(tmp_path)
    assert left.exists(), "it is still being written"
    os.close(killed._lock)  # pyright: ignore  # what the end of a process does
    os.utime(left, (time.time() - 1000,) * 2)
    recorded(tmp_path)
    assert not left.exists()
    assert mine.exists()
