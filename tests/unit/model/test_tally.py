"""The totals of a run: each number against a plain count over all results."""

from random import Random

import pytest
from msgspec import structs
from tests.fakes import results
from tests.fakes.any_struct import any_struct
from tests.fakes.random_values import at_most

from vivavoce.model.case import Case
from vivavoce.model.message import AgentReply, Usage
from vivavoce.model.result import NOT_JUDGED, Attempt, CaseResult, Status
from vivavoce.model.tally import Tally
from vivavoce.model.transcript import Ending, EndReason, Transcript


def any_results(rng: Random) -> list[CaseResult]:
    return [
        any_struct(CaseResult, rng, attempts=tuple(any_struct(Attempt, rng) for _ in range(rng.randrange(1, 3))))
        for _ in range(rng.randrange(8))
    ]


@pytest.mark.parametrize("seed", range(at_most(30)))
def test_every_number_is_what_one_counts_by_hand(seed: int):
    counted = any_results(Random(seed))
    tally = Tally(3)
    for result in counted:
        tally.add(result)
    summary = tally.summary()
    attempts = [attempt for result in counted for attempt in result.attempts]
    statuses = [result.status for result in counted]
    assert (summary.passed, summary.failed, summary.errors, summary.timeouts, summary.skipped) == tuple(
        statuses.count(status)
        for status in (Status.PASSED, Status.FAILED, Status.ERROR, Status.TIMEOUT, Status.SKIPPED)
    )
    assert (summary.total, summary.not_run) == (
        max(3, len(counted)),
        statuses.count(Status.NOT_RUN) + max(3 - len(counted), 0),
    )
    assert summary.total_turns == sum(len(attempt.transcript.turns) for attempt in attempts)
    assert summary.total_runs == sum(attempt.status not in NOT_JUDGED for attempt in attempts)
    assert summary.passed_runs == sum(attempt.status is Status.PASSED for attempt in attempts)
    stable = [result.stability.stable for result in counted if result.stability]
    assert (summary.stable_cases, summary.unstable_cases) == (stable.count(True), stable.count(False))


@pytest.mark.parametrize("seed", range(at_most(30)))
def test_usage_adds_up_and_is_none_where_nobody_told_any(seed: int):
    counted = any_results(Random(seed))
    tally = Tally()
    total: Usage | None = None
    for result in counted:
        tally.add(result)
        for attempt in result.attempts:
            for turn in attempt.transcript.turns:
                total = turn.reply.usage.plus(total) if turn.reply.usage else total
    assert tally.summary().usage == total


def test_costs_add_up_where_they_are_known():
    tally = Tally()
    for cost in (None, 0.25, None, 0.5):
        usage = Usage(10, 1, cost)
        turn = structs.replace(results.plain().attempts[0].transcript.turns[0], reply=AgentReply(usage=usage))
        attempt = Attempt(status=Status.PASSED, transcript=Transcript(turns=(turn,)))
        tally.add(CaseResult(case=results.plain().case, status=Status.PASSED, attempts=(attempt,)))
    assert tally.summary().usage == Usage(40, 4, 0.75)


def test_the_time_of_results_read_back_goes_from_the_first_start_to_the_last_end():
    tally = Tally()
    for began, duration in ((2_000.0, 10.0), (1_000.0, 5_000.0), (0.0, 9_000.0), (3_000.0, 1.0)):
        attempt = Attempt(status=Status.PASSED, started_ms=began, duration_ms=duration)
        tally.add(CaseResult(case=results.plain().case, status=Status.PASSED, attempts=(attempt,)))
    assert tally.recounted(4, "killed").duration_ms == 5_000


@pytest.mark.parametrize("seed", range(10))
def test_faults_are_those_of_the_decisive_attempts(seed: int):
    counted = [*results.every_kind(), *any_results(Random(seed))]
    tally = Tally()
    wanted: dict[str, int] = {}
    for result in counted:
        tally.add(result)
        if (fault := result.decisive.fault) is not None:
            wanted[fault] = wanted.get(fault, 0) + 1
    assert tally.summary().faults == wanted


def ended_by(reason: EndReason, status: Status = Status.SKIPPED) -> CaseResult:
    attempt = Attempt(status=status, transcript=Transcript(ending=Ending(reason)))
    return CaseResult(case=Case(id="x"), status=status, attempts=(attempt,))


def test_cases_that_ended_without_a_verdict_are_among_the_warnings():
    tally = Tally()
    tally.add(ended_by(EndReason.MISSING_INPUT_SKIP))
    tally.add(ended_by(EndReason.MISSING_INPUT_SKIP))
    tally.add(ended_by(EndReason.SKIPPED_BY_HUMAN))
    tally.add(ended_by(EndReason.MISSING_INPUT_SKIP, Status.FAILED))
    tally.add(results.skipped())
    assert tally.summary().warnings == (
        "2 cases ended without a verdict: nobody had the next line (--on-missing-input fail makes that red)",
    )


def test_the_time_is_kept_to_the_microsecond():
    duration_ms = Tally().summary().duration_ms
    assert duration_ms == round(duration_ms, 3)


def test_attempts_whose_after_failed_are_among_the_warnings():
    tally = Tally()
    for name, warnings in {"a": ("turn 1: x", "after hook: no"), "b": ("turn 1: after hook",), "c": ()}.items():
        attempt = Attempt(status=Status.PASSED, warnings=warnings)
        tally.add(CaseResult(case=Case(id=name), status=Status.PASSED, attempts=(attempt,)))
    (said,) = [words for words in tally.summary().warnings if "`after` failed" in words]
    assert said == "1 attempt whose `after` failed: what was left behind may change later results (a)"


def test_only_a_few_cases_whose_after_failed_are_named():
    tally = Tally()
    attempt = Attempt(status=Status.PASSED, warnings=("after hook: no",))
    for name in "abcdef":
        tally.add(CaseResult(case=Case(id=name), status=Status.PASSED, attempts=(attempt, attempt)))
    (said,) = [words for words in tally.summary().warnings if "`after` failed" in words]
    assert said.startswith("12 attempts whose")
    assert said.endswith("(a, b, c, d, e, …)")
