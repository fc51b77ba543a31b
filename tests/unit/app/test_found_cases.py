"""The file that searches add cases to is looked at first."""

import re
from pathlib import Path

import pytest

import vivavoce
from vivavoce.app.found_cases import check_case_file
from vivavoce.errors import UsageError, VivaError


def test_a_new_file_and_one_of_cases_are_fine_and_nothing_is_left_behind(tmp_path: Path):
    check_case_file(tmp_path / "more" / "new.jsonl", "-o")
    assert list((tmp_path / "more").iterdir()) == []
    old = tmp_path / "old.jsonl"
    old.write_text('{"id": "A", "input": "x"}\n')
    check_case_file(old, "-o")
    assert old.read_text() == '{"id": "A", "input": "x"}\n'


def test_what_is_no_file_of_cases_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    vivavoce.run("hello there", agent=lambda text: text, outputs="out.jsonl", history=False)
    Path("folder.jsonl").mkdir()
    for name, told in (
        ("a.yaml", "--save: a.yaml: cases are written as JSON lines"),
        ("folder.jsonl", "is a directory"),
        ("out.jsonl", "is a result file"),
    ):
        with pytest.raises(UsageError, match=re.escape(told)):
            check_case_file(Path(name), "--save")


def test_a_place_that_cannot_be_written_is_told_before_anything_runs():
    with pytest.raises(VivaError, match=r"--save: cannot write /proc/x.jsonl: No such file or directory"):
        check_case_file(Path("/proc/x.jsonl"), "--save")
