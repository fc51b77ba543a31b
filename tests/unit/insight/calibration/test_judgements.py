"""What judges said in an attempt, with their votes before any threshold."""

from typing import Any

import pytest
from msgspec import structs

from vivavoce.insight.calibration.judgements import Judgement, Vote, criterion_of, judgements
from vivavoce.model.case import AssertionSpec
from vivavoce.model.result import Attempt, CheckpointOutcome, CheckpointTry, Status
from vivavoce.model.verdict import Verdict, broken, failed, passed


def judged(verdict: Verdict, negate: bool = False, **fields: Any) -> Judgement:
    spec = AssertionSpec(type="agent", fields=fields, negate=negate)
    attempt = Attempt(status=Status.PASSED, verdicts=(structs.replace(verdict, spec=spec),))
    (found,) = judgements(attempt)
    return found


@pytest.mark.parametrize(
    ("fields", "criterion"),
    [
        ({"value": "is  polite\n"}, "is polite"),
        ({"criteria": "relevant"}, "relevant"),
        ({"criteria": "relevant", "value": "short"}, "relevant and: short"),
        ({"use": "agents:mine"}, "(its own criteria)"),
        ({"metadata": {"criteria": "a"}, "options": {"metadata": {"criteria": "b"}}}, "b"),
    ],
)
def test_a_criterion_is_named_as_the_check_writes_it(fields: dict[str, Any], criterion: str):
    assert criterion_of(AssertionSpec(type="agent", fields=fields)) == criterion


def test_the_judge_is_the_agent_that_was_asked():
    assert judged(passed(), value="x").judge == "viva.validator"
    assert judged(passed(), use="agents:mine").judge == "mine"


def test_a_judge_that_broke_decided_nothing():
    assert judged(broken("down", fault="judge"), value="x").passed is None


def test_the_votes_are_those_before_the_threshold():
    below = structs.replace(failed("below", reply='{"passed": true, "score": 0.6, "reason": ""}'), score=0.6)
    found = judged(below, value="x", threshold=0.7)
    assert found.votes == (Vote(True, 0.6),)
    assert found.passes_at(0.6)
    assert not found.passes_at(0.61)


def test_a_judge_that_said_no_fails_at_every_threshold():
    said_no = structs.replace(failed("no", reply='{"passed": false, "score": 0.9, "reason": ""}'), score=0.9)
    assert not judged(said_no, value="x").passes_at(0.1)


def test_several_votes_are_counted_at_a_threshold():
    votes = [{"passed": True, "score": score, "reply": ""} for score in (0.9, 0.8, 0.2)]
    found = judged(passed(votes=votes), value="x")
    assert [found.passes_at(at) for at in (0.2, 0.8, 0.9)] == [True, True, False]


def test_a_negated_check_has_no_threshold_to_look_for():
    found = judged(structs.replace(passed(), score=0.2), negate=True, value="rude")
    assert found.votes == ()
    assert found.criterion == "not: rude"


def test_a_checkpoint_counts_once_by_the_try_that_decided_it():
    spec = AssertionSpec(type="agent", fields={"value": "says goodbye"})
    decided = structs.replace(passed(request_digest="f1"), spec=spec)
    reached = CheckpointOutcome(
        id="bye", reached_at_turn=2, verdicts=(decided,), tries=(CheckpointTry(1, (failed("no"),)),)
    )
    (found,) = judgements(Attempt(status=Status.PASSED, checkpoints=(reached,)))
    assert (found.criterion, found.passed, found.place) == ("says goodbye", True, "checkpoint bye 0")
    assert found.request is None, "what is asked depends on the turn that reaches it"
