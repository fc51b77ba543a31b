"""The result file as it is written."""

import io
import json
from pathlib import Path

import pytest
from tests.fakes import results

from vivavoce.errors import VivaError
from vivavoce.model.events import CaseFinished, RunStarted
from vivavoce.results.journal import JsonlReporter


def written(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_run_is_a_start_line_a_line_per_case_and_a_summary(tmp_path: Path):
    reporter = JsonlReporter(tmp_path / "out.jsonl")
    for event in results.events_of([results.plain("T1"), results.conversation()]):
        reporter.handle(event)
    reporter.close()
    start, first, second, summary = written(tmp_path / "out.jsonl")
    assert start["type"] == "start"
    assert start["timestamp"] == "2024-12-17T10:00:00Z"
    assert (start["agent_id"], start["total_cases"]) == ("assistants.expense", 2)
    assert (first["type"], first["id"], first["status"]) == ("result", "T1", "passed")
    assert second["id"] == "T001"
    assert summary["type"] == "summary"
    assert (summary["total"], summary["passed"], summary["failed"]) == (2, 2, 0)


def test_every_case_is_on_disk_before_the_next_one_begins(tmp_path: Path):
    reporter = JsonlReporter(tmp_path / "out.jsonl")
    reporter.handle(RunStarted(results.run_info(2)))
    reporter.handle(CaseFinished(results.plain("T1")))
    assert [line["type"] for line in written(tmp_path / "out.jsonl")] == ["start", "result"]
    reporter.close()


def test_missing_folders_are_made(tmp_path: Path):
    JsonlReporter(tmp_path / "a" / "b" / "out.jsonl").close()
    assert (tmp_path / "a" / "b" / "out.jsonl").exists()


def test_a_stream_of_somebody_else_is_left_open():
    stream = io.BytesIO()
    reporter = JsonlReporter(stream)
    reporter.handle(CaseFinished(results.plain("T1")))
    reporter.close()
    assert json.loads(stream.getvalue())["id"] == "T1"


def test_a_full_disk_says_what_was_lost_and_where():
    reporter = JsonlReporter("/dev/full")
    with pytest.raises(VivaError) as caught:
        reporter.handle(CaseFinished(results.plain("T7")))
    reporter.close()
    assert str(caught.value) == (
        "/dev/full: a result could not be written: No space left on device (the file ends before that)"
    )
    assert caught.value.exit_code == 3


def test_a_stream_that_takes_only_a_part_gets_the_rest(tmp_path: Path):
    class Narrow(io.RawIOBase):
        def __init__(self) -> None:
            self.taken = b""

        def write(self, data: memoryview) -> int:  # type: ignore[override]
            self.taken += bytes(data[:7])
            return min(7, len(data))

    narrow = Narrow()
    JsonlReporter(narrow).handle(CaseFinished(results.plain("T1")))  # type: ignore[arg-type]
    assert json.loads(narrow.taken)["id"] == "T1"


def test_a_place_that_cannot_be_written_is_told_at_once(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(VivaError, match="cannot write the result file"):
        JsonlReporter(tmp_path / "file" / "out.jsonl")
