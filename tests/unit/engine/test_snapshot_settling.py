"""Snapshots are written when everything else passed, once per case, and never by accident."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.agents import FakeTarget
from tests.fakes.examining import run_all

from vivavoce.engine.wiring import RunSettings
from vivavoce.model.case import Case, Origin
from vivavoce.model.message import AgentReply, Unread
from vivavoce.model.result import CaseResult, Status, Summary
from vivavoce.project.locked_files import locked_folder
from vivavoce.snapshots import snap_file
from vivavoce.snapshots.book import SnapshotMode
from vivavoce.snapshots.snap_file import SnapFile
from vivavoce.sources.decoding.case_decoder import decode_case

SNAPSHOT = {"type": "snapshot"}
CONTAINS = {"type": "contains", "value": "yes"}


class Changing(FakeTarget):
    """Answers every conversation with another of its lines."""

    async def open(self, context: Any) -> Any:
        session = await super().open(context)
        session.turn = len(self.contexts) - 1
        return session


class Bench:
    def __init__(self, folder: Path) -> None:
        self.file = folder / "a.jsonl"
        self.file.write_text("{}")
        self.snap = SnapFile(folder / "__snapshots__" / "a.jsonl.snap.yaml")

    def case(self, *checks: dict[str, Any], **fields: Any) -> Case:
        return decode_case({"id": "T", "input": "hi", "assert": list(checks), **fields}, Origin(str(self.file), 1))

    async def run(
        self, case: Case, agent: FakeTarget, mode: SnapshotMode = "write new", runs: int = 1
    ) -> tuple[Summary, CaseResult]:
        settings = RunSettings(snapshots=mode)
        summary, [result] = await run_all([case], agent, settings=settings, runs=runs, parallel=1)
        return summary, result


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


async def test_the_first_run_writes_and_says_so(bench: Bench):
    summary, result = await bench.run(bench.case(CONTAINS, SNAPSHOT), FakeTarget(["yes"]))
    assert result.status is Status.PASSED
    assert bench.snap.approved() == {"T": {"output": "yes"}}
    [verdict] = [v for v in result.attempts[0].verdicts if v.only_written]
    assert verdict.reason.endswith("a.jsonl.snap.yaml, not checked")
    assert summary.warnings == ("1 snapshot written, not checked: look at it and commit it",)
    assert any("written to" in warning for warning in result.attempts[0].warnings)
    again, result = await bench.run(bench.case(CONTAINS, SNAPSHOT), FakeTarget(["yes"]))
    assert (again.passed, again.warnings, result.attempts[0].warnings) == (1, (), ())


@pytest.mark.parametrize("mode", ["write new", "update"])
async def test_nothing_is_written_when_another_check_fails(bench: Bench, mode: SnapshotMode):
    _, result = await bench.run(bench.case(CONTAINS, SNAPSHOT), FakeTarget(["no"]), mode)
    assert result.status is Status.FAILED
    assert not bench.snap.path.exists()


async def test_a_case_that_passes_by_its_score_only_writes_nothing(bench: Bench):
    _, result = await bench.run(
        bench.case(CONTAINS, {"type": "regex", "value": "."}, SNAPSHOT, min_score=0.5), FakeTarget(["no"])
    )
    assert result.status is not Status.PASSED
    assert not bench.snap.path.exists()


async def test_nothing_is_written_when_something_was_not_read(bench: Bench):
    reply = AgentReply(text="yes", unread=(Unread("a part", may_hold="call"),))
    _, result = await bench.run(bench.case(CONTAINS, SNAPSHOT), FakeTarget([reply]))
    assert result.status is Status.ERROR
    assert "not written: part of the answer could not be read" in (result.attempts[0].error or "")
    assert not bench.snap.path.exists()


async def test_a_missing_one_fails_where_nothing_may_be_written(bench: Bench):
    _, result = await bench.run(bench.case(SNAPSHOT), FakeTarget(["yes"]), "compare")
    assert result.status is Status.FAILED
    assert not bench.snap.path.exists()


async def test_one_value_per_case_and_the_other_runs_are_compared(bench: Bench):
    _, result = await bench.run(bench.case(SNAPSHOT), Changing(["one", "two", "one"]), runs=3)
    assert [attempt.status for attempt in result.attempts] == [Status.PASSED, Status.FAILED, Status.PASSED]
    assert bench.snap.value("T", "output") == "one"


async def test_an_update_accepts_one_value_per_run(bench: Bench):
    await bench.run(bench.case(SNAPSHOT), FakeTarget(["old"]))
    summary, result = await bench.run(bench.case(SNAPSHOT), Changing(["new", "other", "old"]), "update", runs=3)
    assert [attempt.status for attempt in result.attempts] == [Status.PASSED, Status.FAILED, Status.FAILED]
    assert bench.snap.value("T", "output") == "new"
    assert summary.warnings[-1].startswith("1 snapshot updated")


async def test_an_update_keeps_what_a_run_has_seen_again(bench: Bench):
    await bench.run(bench.case(SNAPSHOT), FakeTarget(["old"]))
    _, result = await bench.run(bench.case(SNAPSHOT), Changing(["old", "new"]), "update", runs=2)
    assert [attempt.status for attempt in result.attempts] == [Status.PASSED, Status.FAILED]
    assert bench.snap.value("T", "output") == "old"


async def test_snapshots_of_turns_are_written_at_the_end_of_the_conversation(bench: Bench):
    turns = [{"input": "a", "assert": SNAPSHOT}, {"input": "b", "assert": CONTAINS}]
    case = decode_case({"id": "T", "turns": turns}, Origin(str(bench.file), 1))
    await bench.run(case, FakeTarget(["one", "no"]))
    assert not bench.snap.path.exists()
    _, result = await bench.run(case, FakeTarget(["one", "yes"]))
    assert result.status is Status.PASSED
    assert bench.snap.approved() == {"T": {"turn 1: output": "one"}}


async def test_a_skipped_case_stays_skipped(bench: Bench):
    _, result = await bench.run(bench.case(SNAPSHOT, skip="later"), FakeTarget(["yes"]))
    assert result.status is Status.SKIPPED
    assert not bench.snap.path.exists()


async def test_a_folder_that_cannot_be_written_breaks_the_check(bench: Bench):
    bench.snap.path.parent.write_text("a file where the folder should be")
    _, result = await bench.run(bench.case(SNAPSHOT), FakeTarget(["yes"]))
    assert result.status is Status.ERROR
    assert "cannot be written" in (result.attempts[0].error or "")


async def test_a_place_that_cannot_be_written_is_told_in_plain_words_and_never_green(bench: Bench):
    bench.snap.path.parent.write_text("a file where the folder should be")
    _, result = await bench.run(bench.case(SNAPSHOT), FakeTarget(["yes"]))
    assert (result.status, result.attempts[0].fault) == (Status.ERROR, "test")
    told = "the snapshot of output cannot be written: "
    assert (result.attempts[0].error or "").startswith(told)
    assert (result.attempts[0].error or "").endswith("__snapshots__/a.jsonl.snap.yaml: File exists")


async def test_a_folder_that_another_process_keeps_is_an_error_of_the_case(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(snap_file, "locked_folder", partial(locked_folder, patience_s=0.01))
    with locked_folder(bench.snap.path.parent):
        _, result = await bench.run(bench.case(SNAPSHOT), FakeTarget(["yes"]))
    assert result.status is Status.ERROR
    assert "the snapshot of output cannot be written" in str(result.attempts[0].error)
