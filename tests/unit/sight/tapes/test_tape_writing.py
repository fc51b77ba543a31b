"""Tape files: written line by line, read back whole, cut off ones too."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from vivavoce.errors import CallFailed, UsageError
from vivavoce.sight.dialects.dialect import Sections
from vivavoce.sight.tapes.tape_lines import Entry, folded
from vivavoce.sight.tapes.tape_reading import read_tape, tapes_below
from vivavoce.sight.tapes.tape_writing import TapeWriter

SECTIONS = Sections(model="m", system=["Be a shop."], talk=[{"role": "user", "content": "hi"}])


def added(writer: TapeWriter, case: str, run: int = 1, **more: object) -> None:
    names, values = folded(SECTIONS)
    writer.add(Entry(case=case, run=run, sections=names, chunks=[(1.0, "hé")], **more), values)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tapes" / "a.jsonl.tape.jsonl"


def test_what_is_written_is_read(path: Path):
    writer = TapeWriter(path)
    writer.begin("one", 1)
    added(writer, "one")
    tape = read_tape(path)
    (entry,) = tape.attempts["one", 1]
    assert tape.sections(entry) == SECTIONS
    assert entry.chunks == [(1.0, "hé")]


def test_a_value_stands_once_in_the_file(path: Path):
    writer = TapeWriter(path)
    for _ in range(3):
        added(writer, "one")
    added(TapeWriter(path), "one")
    assert path.read_text().count("Be a shop.") == 1


def test_a_case_recorded_again_replaces_what_was_there(path: Path):
    writer = TapeWriter(path)
    added(writer, "one")
    added(writer, "two")
    writer.begin("one", 1)
    added(writer, "one", path="/new")
    tape = read_tape(path)
    assert [entry.path for entry in tape.attempts["one", 1]] == ["/new"]
    assert len(tape.attempts["two", 1]) == 1


def test_closing_sorts_by_case_and_drops_what_is_out_of_date(path: Path):
    writer = TapeWriter(path)
    added(writer, "two")
    added(writer, "one", path="/old")
    writer.begin("one", 1)
    added(writer, "one")
    writer.close()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[0] == {"type": "tape", "v": 1}
    assert [line["case"] for line in lines if line["type"] == "exchange"] == ["one", "two"]
    assert "/old" not in path.read_text()
    assert all(list(line) == sorted(line) for line in lines)


def test_a_line_that_was_cut_off_is_left_out_and_recording_goes_on(path: Path):
    writer = TapeWriter(path)
    added(writer, "one")
    with path.open("ab") as file:
        file.write(b'{"type":"exchange","ca')
    tape = read_tape(path)
    assert (tape.is_cut, len(tape.entries())) == (True, 1)
    added(TapeWriter(path), "two")
    assert len(read_tape(path).entries()) == 2


def test_a_killed_process_leaves_a_tape_that_can_be_read(path: Path):
    code = f"""
import os, signal
from pathlib import Path
from tests.unit.sight.tapes.test_tape_writing import added
from vivavoce.sight.tapes.tape_writing import TapeWriter
writer = TapeWriter(Path({str(path)!r}))
for number in range(1000):
    added(writer, f"case {{number}}")
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
"""
    root = Path(__file__).parents[4]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env={**os.environ, "PYTHONPATH": str(root)}, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert len(read_tape(path).entries()) == 8


@pytest.mark.parametrize("content", ["", "nonsense\n", '{"type":"tape","v":99}\n', '{"id":"case"}\n'])
def test_what_is_no_tape_is_an_error_with_its_place(content: str, tmp_path: Path):
    path = tmp_path / "x.tape.jsonl"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"x\.tape\.jsonl"):
        read_tape(path)


def test_a_folder_that_cannot_be_written_is_an_error_of_the_case(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(CallFailed, match="cannot be written"):
        TapeWriter(tmp_path / "file" / "x.tape.jsonl").begin("one", 1)


def test_tapes_are_found_below_a_folder(path: Path):
    TapeWriter(path).begin("one", 1)
    assert tapes_below(path.parent.parent) == [path] == tapes_below(path)
