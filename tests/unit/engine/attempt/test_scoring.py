"""Weights, and what no weight can outvote."""

import pytest
from msgspec import structs

from vivavoce.engine.attempt.outcome import Ruling, rule
from vivavoce.engine.attempt.scoring import score
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.result import Status
from vivavoce.model.transcript import Ending, EndReason, Transcript
from vivavoce.model.verdict import Verdict, broken, failed, passed, skipped

FIELDS: dict[str, dict[str, object]] = {"contains": {"value": "x"}, "only": {"names": []}}


def weighed(verdict: Verdict, weight: float = 1.0, kind: str = "contains") -> Verdict:
    fields = FIELDS.get(kind, {"name": "refund"})
    return structs.replace(verdict, spec=AssertionSpec(type=kind, fields=fields, weight=weight))


HELD, MISSED = weighed(passed("yes")), weighed(failed("no"))
ENDED = Transcript(ending=Ending(EndReason.COMPLETED))


@pytest.mark.parametrize(
    ("verdicts", "share"),
    [
        ([HELD], 1.0),
        ([HELD, MISSED], 0.5),
        ([weighed(passed(), 3), MISSED], 0.75),
        ([weighed(passed(), 0), MISSED], 0.0),
        ([weighed(passed(), 0)], 0.0),
        ([HELD, weighed(skipped("n/a"))], 1.0),
        ([], 0.0),
    ],
)
def test_the_score_is_the_share_of_the_weight_that_held(verdicts: list[Verdict], share: float):
    assert score(verdicts) == share


def ruled(verdicts: list[Verdict], min_score: float | None) -> Ruling:
    return rule(Case(id="T", min_score=min_score), ENDED, verdicts, [], 60)


def test_enough_is_a_pass_that_tells_what_did_not_hold():
    ruling = ruled([HELD, HELD, MISSED], 0.6)
    assert ruling.status is Status.PASSED
    assert ruling.warning == "score 0.67, min_score 0.6; did not hold: no"


def test_too_little_is_a_failure_with_its_score():
    ruling = ruled([HELD, MISSED], 0.6)
    assert (ruling.status, ruling.error) == (Status.FAILED, "score 0.50, min_score 0.6: no")


def test_without_a_min_score_everything_must_hold():
    assert ruled([HELD, HELD, MISSED], None).status is Status.FAILED


@pytest.mark.parametrize("kind", ["forbid", "forbid_calls", "only"])
def test_a_forbidden_call_is_never_outvoted(kind: str):
    ruling = ruled([HELD] * 99 + [weighed(failed("refund called"), 0, kind)], 0.1)
    assert (ruling.status, ruling.error) == (Status.FAILED, "a forbidden call is never outvoted: refund called")


@pytest.mark.parametrize(
    "spec",
    [
        AssertionSpec(type="tool_called", fields={"name": "refund"}, negate=True),
        AssertionSpec(type="require", fields={"name": "refund", "count": {"exact": 0}}),
        AssertionSpec(type="require", fields={"name": "refund", "count": {"min": 0, "max": 0}}),
    ],
)
def test_neither_is_one_that_is_forbidden_in_other_words(spec: AssertionSpec):
    assert ruled([HELD] * 99 + [structs.replace(failed("refund called"), spec=spec)], 0.1).status is Status.FAILED


@pytest.mark.parametrize("weight", [0, 1, 100])
def test_a_broken_check_is_an_error_at_any_weight(weight: float):
    ruling = ruled([HELD, MISSED, weighed(broken("judge is down", fault="judge"), weight)], 0.5)
    assert (ruling.status, ruling.fault) == (Status.ERROR, "judge")


def test_a_check_that_does_not_apply_skips_as_ever():
    assert ruled([HELD, MISSED, weighed(skipped("n/a"))], 0.5).status is Status.SKIPPED
