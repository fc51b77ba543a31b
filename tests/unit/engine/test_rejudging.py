"""Jobs over recorded conversations: which are judged, which stay as they are, which are stale."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.fakes.agents import FakeTarget, agent_raises
from tests.fakes.examining import attempt_once, case_of
from tests.fakes.recording import read_back

from vivavoce.engine.rejudging import Rejudging
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, CaseResult, Status
from vivavoce.project.project import Project
from vivavoce.protocols import Job
from vivavoce.results.recorded_cases import RecordedAttempt
from vivavoce.results.rows import row_line

RECORDED_LINE = b'{"the line": "as it was recorded"}\n'
HELLO = {"input": "hi", "assert": {"type": "contains", "value": "hello"}}


class Recordings:
    """What was recorded of one case: at the place of results.recorded_cases.RecordedCases."""

    def __init__(self, then: Case, attempt: Attempt | None) -> None:
        self._found = None
        if attempt is not None:
            result = CaseResult(case=then, status=attempt.status, attempts=(attempt,), index=1)
            self._found = RecordedAttempt(result, attempt, RECORDED_LINE)

    def attempt(self, case: Case, run: int) -> RecordedAttempt | None:
        return self._found


async def recorded(case: Case, *says: Any) -> Attempt:
    return read_back(case, await attempt_once(case, FakeTarget(says or ("hello",))))


async def again(now: Case, then: Case, attempt: Attempt | None) -> tuple[Attempt, Rejudging]:
    resources = RunResources(Project(root=Path("/nowhere")), RunSettings(agent="fake"))
    work: Any = Recordings(then, attempt)
    rejudging = Rejudging(resources, work, keeps_lines=True)
    try:
        return await rejudging.attempt(Job(case=now, index=1)), rejudging
    finally:
        await resources.close()


async def test_the_same_case_gets_the_same_verdict_and_nothing_changed():
    case = case_of(**HELLO)
    attempt, rejudging = await again(case, case, await recorded(case))
    assert (attempt.status, rejudging.changes.judged, rejudging.changes.count) == (Status.PASSED, 1, 0)


async def test_an_edited_check_decides_and_the_change_is_kept():
    case = case_of(**HELLO)
    edited = case_of(input="hi", **{"assert": {"type": "contains", "value": "goodbye"}})
    attempt, rejudging = await again(edited, case, await recorded(case))
    assert attempt.status is Status.FAILED
    [change] = rejudging.changes.kept
    assert (change.was, change.now) == (Status.PASSED, Status.FAILED)


async def test_a_case_that_says_other_lines_is_not_judged():
    case = case_of(**HELLO)
    attempt, rejudging = await again(case_of(**{**HELLO, "input": "good evening"}), case, await recorded(case))
    assert (attempt.status, rejudging.changes.stale) == (Status.NOT_RUN, 1)


async def test_a_case_that_is_skipped_now_or_was_then_is_not_judged():
    case = case_of(**HELLO)
    attempt, _ = await again(case_of(**HELLO, skip="later"), case, await recorded(case))
    assert (attempt.status, attempt.error) == (Status.SKIPPED, "later")
    skipped = case_of(**HELLO, skip="later")
    attempt, _ = await again(case, case, await recorded(skipped))
    assert attempt.status is Status.NOT_RUN
    assert "skipped when it was recorded" in (attempt.error or "")


async def test_a_recording_that_cannot_be_read_is_an_error_of_the_test():
    case = case_of(**HELLO)
    attempt, _ = await again(case, case, None)
    assert (attempt.status, attempt.fault) == (Status.ERROR, "test")


async def test_an_agent_that_failed_then_stays_failed_with_its_words():
    case = case_of(**HELLO)
    then = await recorded(case, agent_raises("no stock"))
    attempt, rejudging = await again(case, case, then)
    assert (attempt.status, attempt.error) == (then.status, then.error)
    assert rejudging.changes.count == 0


@pytest.mark.parametrize("why", ["the hook broke", "no tape fits"])
async def test_what_broke_outside_of_the_conversation_stays_an_error(why: str):
    case = case_of(**HELLO)
    then = structs.replace(await recorded(case), status=Status.ERROR, fault="hook", error=why)
    attempt, _ = await again(case, case, then)
    assert (attempt.status, attempt.error) == (Status.ERROR, why)


async def test_times_and_new_tries_are_those_of_the_recording():
    case = case_of(**HELLO)
    then = structs.replace(await recorded(case), started_ms=7.0, retries=("turn 1: 503",))
    attempt, _ = await again(case, case, then)
    assert (attempt.started_ms, attempt.retries) == (7.0, ("turn 1: 503",))
    assert (attempt.duration_ms, attempt.overhead_ms) == (then.duration_ms, then.overhead_ms)


async def test_the_recorded_line_is_kept_where_nothing_is_different():
    case = case_of(**HELLO)
    attempt, rejudging = await again(case, case, await recorded(case))
    result = CaseResult(case=case, status=attempt.status, attempts=(attempt,), index=1)
    assert rejudging.line_of(result) == RECORDED_LINE
    assert rejudging.line_of(result) == row_line(result), "it is forgotten once the result is reported"


@pytest.mark.parametrize(
    "now",
    [
        {**HELLO, "name": "another name"},
        {**HELLO, "assert": {"type": "contains", "value": "goodbye"}},
        {**HELLO, "assert": {"type": "contains", "value": "hell"}},
    ],
)
async def test_a_line_is_written_anew_where_anything_is_different(now: dict[str, Any]):
    case, edited = case_of(**HELLO), case_of(**now)
    attempt, rejudging = await again(edited, case, await recorded(case))
    result = CaseResult(case=edited, status=attempt.status, attempts=(attempt,), index=1)
    assert rejudging.line_of(result) == row_line(result)


async def test_a_line_is_written_anew_at_another_place_of_the_run():
    case = case_of(**HELLO)
    resources = RunResources(Project(root=Path("/nowhere")), RunSettings(agent="fake"))
    work: Any = Recordings(case, await recorded(case))
    rejudging = Rejudging(resources, work, keeps_lines=True)
    attempt = await rejudging.attempt(Job(case=case, index=2))
    result = CaseResult(case=case, status=attempt.status, attempts=(attempt,), index=2)
    assert rejudging.line_of(result) == row_line(result)
    await resources.close()
