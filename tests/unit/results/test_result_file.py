"""Result files read back: whole, killed half-way, damaged."""

from pathlib import Path

import pytest
from tests.fakes import results

from vivavoce.errors import UsageError
from vivavoce.results.journal import JsonlReporter
from vivavoce.results.result_file import read_result_file
from vivavoce.results.rows import row_line


def result_file(folder: Path) -> Path:
    path = folder / "out.jsonl"
    reporter = JsonlReporter(path)
    for event in results.events_of(results.every_kind()):
        reporter.handle(event)
    reporter.close()
    return path


def test_a_finished_run_is_read_back_whole(tmp_path: Path):
    found = read_result_file(result_file(tmp_path))
    assert list(found.results()) == results.every_kind()
    assert list(found.results()) == results.every_kind(), "a second reading starts anew"
    assert found.info == results.run_info(13)
    assert found.summary == results.summary_of(results.every_kind())
    assert not found.incomplete
    assert found.problems == ()


def test_a_killed_run_gives_what_finished_marked_incomplete(tmp_path: Path):
    path = result_file(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]) + lines[4][:40])
    found = read_result_file(path)
    assert [result.case.id for result in found.results()] == ["expense-turn1", "expense-turn2", "pay-1"]
    assert found.incomplete
    assert [str(problem) for problem in found.problems] == [f"{path}:5: the last line is torn off"]
    summary = found.summary
    assert (summary.total, summary.passed, summary.failed, summary.not_run) == (13, 2, 1, 10)
    assert summary.interrupted == "incomplete"
    assert summary.total_turns == 3
    assert summary.usage is not None
    assert summary.usage.input_tokens == 812
    assert any("torn off" in warning for warning in found.report().summary.warnings)


def test_the_totals_of_a_run_that_lost_its_summary_are_counted_again(tmp_path: Path):
    path = result_file(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    counted, wanted = read_result_file(path).summary, results.summary_of(results.every_kind())
    for name in ("total", "passed", "failed", "errors", "timeouts", "skipped", "total_turns", "usage", "faults"):
        assert getattr(counted, name) == getattr(wanted, name), name
    assert (counted.stable_cases, counted.unstable_cases) == (0, 1)


@pytest.mark.parametrize(
    "damage",
    [
        b'{"type": "result", "id": 7, "status": "passed"}\n',
        b'{"type": "result", "id": "x", "status": "great"}\n',
        b'{"type": "result", "id": "x", "status": "passed", "assertions": [{"passed": true}]}\n',
        b"\xff\xfe\n",
        b"not json\n",
    ],
)
def test_a_line_that_cannot_be_read_is_told_never_dropped_in_silence(tmp_path: Path, damage: bytes):
    path = result_file(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], damage, *lines[2:]]))
    found = read_result_file(path)
    assert found.incomplete
    assert len(found.problems) == 1
    assert str(found.problems[0]).startswith(f"{path}:3: this line cannot be read")
    assert len(list(found.results())) == 13
    assert list(found.report().rows()) == [row_line(result).rstrip() for result in results.every_kind()]


def test_rows_are_the_lines_as_they_stand_in_the_file(tmp_path: Path):
    path = result_file(tmp_path)
    lines = path.read_bytes().splitlines()
    laid_out = lines[1].replace(b'":', b'": ')
    path.write_bytes(b"\n".join([lines[0], laid_out, b"", *lines[2:]]) + b"\n")
    assert list(read_result_file(path).report().rows()) == [laid_out, *lines[2:-1]]


def test_a_row_without_any_attempt_is_no_crash(tmp_path: Path):
    path = result_file(tmp_path)
    path.write_bytes(path.read_bytes() + b'{"type":"result","id":"x","status":"passed","run_details":[]}\n')
    assert [result.case.id for result in read_result_file(path).results()][-1] == "x"


@pytest.mark.parametrize("content", [b"", b'{"id": "T1", "input": "hi"}\n', b"hello\n"])
def test_another_kind_of_file_is_refused(tmp_path: Path, content: bytes):
    (tmp_path / "cases.jsonl").write_bytes(content)
    with pytest.raises(UsageError, match="not a result file"):
        read_result_file(tmp_path / "cases.jsonl")


def test_a_missing_file_is_a_usage_error(tmp_path: Path):
    with pytest.raises(UsageError, match="No such file"):
        read_result_file(tmp_path / "nowhere.jsonl")
