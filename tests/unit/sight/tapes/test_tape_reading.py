"""Read in test_tape_writing.py; here what else a tape knows."""

from pathlib import Path

import pytest

from vivavoce.errors import UsageError
from vivavoce.sight.tapes.tape_reading import read_tape
from vivavoce.sight.tapes.tape_writing import TapeWriter


def test_a_case_that_made_no_call_is_known(tmp_path: Path):
    writer = TapeWriter(tmp_path / "a.tape.jsonl")
    writer.begin("quiet", 1)
    writer.begin("quiet", 3)
    tape = read_tape(writer.path)
    assert tape.runs_of("quiet") == [1, 3]
    assert tape.entries() == []


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_tape(tmp_path / "none.tape.jsonl")
