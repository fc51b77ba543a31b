"""When two failures are the same one."""

import pytest
from tests.fakes.examining import case_of

from vivavoce.insight.shrinking.failure import Failure, failures_of
from vivavoce.model.result import Attempt, CheckpointOutcome, Status
from vivavoce.model.transcript import Ending, EndReason, Transcript
from vivavoce.model.verdict import Outcome, Verdict

CASE = case_of(input="hi", **{"assert": [{"type": "contains", "value": "a"}, {"type": "contains", "value": "b"}]})
ENDED = Transcript(ending=Ending(EndReason.COMPLETED))


def verdict(number: int, outcome: Outcome, reason: str = "") -> Verdict:
    return Verdict(outcome=outcome, reason=reason, spec=CASE.assertions[number])


def failed(*verdicts: Verdict) -> Attempt:
    return Attempt(status=Status.FAILED, fault="agent", transcript=ENDED, verdicts=verdicts)


def test_a_passed_attempt_failed_in_no_way():
    assert failures_of(Attempt(status=Status.PASSED, transcript=ENDED)) == ()
    assert failures_of(Attempt(status=Status.SKIPPED)) == ()


def test_the_check_counts_and_not_what_was_seen():
    first = failures_of(failed(verdict(0, Outcome.FAILED, "it said x")))
    assert first == failures_of(failed(verdict(0, Outcome.FAILED, "it said y")))
    assert first != failures_of(failed(verdict(1, Outcome.FAILED)))
    assert first[0] in failures_of(failed(verdict(1, Outcome.FAILED), verdict(0, Outcome.FAILED)))


def test_a_check_that_broke_is_another_failure_than_one_that_failed():
    broken = Attempt(status=Status.ERROR, fault="judge", transcript=ENDED, verdicts=(verdict(0, Outcome.BROKEN),))
    assert failures_of(broken)[0].fault == "judge"
    assert failures_of(broken) != failures_of(failed(verdict(0, Outcome.FAILED)))


def crashed(detail: str, reason: EndReason = EndReason.AGENT_ERROR) -> tuple[Failure, ...]:
    transcript = Transcript(ending=Ending(reason, detail))
    return failures_of(Attempt(status=Status.ERROR, fault="agent", error=detail, transcript=transcript))


def test_the_kind_of_an_error_counts_and_not_its_words():
    assert crashed("KeyError: 'A-17'") == crashed("KeyError: 'B-2'")
    assert crashed("KeyError: 'A-17'") != crashed("ValueError: bad")
    assert crashed("x") != crashed("x", EndReason.TARGET_ERROR)


@pytest.mark.parametrize("reached", [None, 2])
def test_a_checkpoint_that_was_missed(reached):
    outcome = CheckpointOutcome(id="paid", reached_at_turn=reached)
    attempt = Attempt(status=Status.FAILED, fault="agent", transcript=ENDED, checkpoints=(outcome,))
    assert [way.what for way in failures_of(attempt)] == ([] if reached else ["checkpoint paid"])


def test_an_attempt_that_broke_before_it_began():
    assert failures_of(Attempt(status=Status.ERROR, fault="hook", error="hook failed: 1"))[0].what.startswith(
        "not exam"
    )
