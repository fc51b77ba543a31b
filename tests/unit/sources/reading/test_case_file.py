"""What every kind of case file has in common."""

import os
from pathlib import Path

from vivavoce.model.case import Case
from vivavoce.sources.reading.case_file import FileSettings
from vivavoce.sources.reading.jsonl import JsonlSource
from vivavoce.sources.scanning.special_files import may_never_end


def test_the_nearest_defaults_win(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "a", "input": "x"}')
    shared = (Case(id="project", agent="far", user="u"), Case(id="folder", agent="near"))
    (case,) = JsonlSource(tmp_path / "a.jsonl", "a.jsonl", FileSettings(defaults=shared)).read()
    assert isinstance(case, Case)
    assert (case.id, case.agent, case.user) == ("a", "near", "u")


def test_a_pipe_is_never_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.jsonl")
    assert may_never_end(tmp_path / "p.jsonl")
    (problem,) = JsonlSource(tmp_path / "p.jsonl", "p.jsonl").read()
    assert "not a regular file" in str(problem)
