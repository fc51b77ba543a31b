"""Words beside structured output, and messages before the final one: negative checks see them."""

import pytest
from tests.fakes.evidence import evidence, helpers, turn

from vivavoce.assertions.judge_request import judge_request
from vivavoce.assertions.said_beside import said_beside
from vivavoce.engine.attempt.judging import judge
from vivavoce.model.case import AssertionSpec
from vivavoce.model.verdict import Outcome

FORBIDS = [
    AssertionSpec(type="not_contains", fields={"value": "damn"}),
    AssertionSpec(type="not_contains", fields={"value": ["damn", "fool"], "any": True}),
    AssertionSpec(type="contains", fields={"value": "damn"}, negate=True),
    AssertionSpec(type="contains", fields={"value": "DAMN", "ignore_case": True}, negate=True),
    AssertionSpec(type="regex", fields={"value": "d.mn"}, negate=True),
    AssertionSpec(type="must_not_match", fields={"value": "d.mn"}),
    AssertionSpec(type="must_match", fields={"value": "d.mn"}, negate=True),
]
HIDDEN = {
    "beside data": turn("damn it", data={"total": 3}),
    "before the final message": turn("done", texts=("damn it", "done")),
    "both": turn("done", texts=("damn it", "done"), data={"total": 3}),
}


@pytest.mark.parametrize("spec", FORBIDS, ids=lambda spec: f"{spec.type} {spec.negate}")
@pytest.mark.parametrize("how", HIDDEN)
async def test_a_forbidden_word_is_found(how: str, spec: AssertionSpec):
    (verdict,) = await judge([spec], evidence(HIDDEN[how]), helpers())
    assert verdict.outcome is Outcome.FAILED


async def test_a_wanted_word_must_stand_in_the_output_itself():
    (verdict,) = await judge(
        [AssertionSpec(type="contains", fields={"value": "damn"})], evidence(HIDDEN["beside data"]), helpers()
    )
    assert verdict.outcome is Outcome.FAILED
    assert "what was said beside it does: 'damn it'" in verdict.reason


async def test_a_check_of_a_part_judges_that_part_alone():
    spec = AssertionSpec(type="not_contains", fields={"value": "damn"}, path="$.total")
    (verdict,) = await judge([spec], evidence(HIDDEN["beside data"]), helpers())
    assert verdict.passed


def test_the_output_itself_is_not_said_beside_it():
    assert list(said_beside(evidence(turn("done")))) == []
    assert list(said_beside(evidence(turn("done", texts=("hm", "done"))))) == ["hm"]
    assert list(said_beside(evidence())) == []


def test_a_judge_sees_the_words_beside_data():
    request = judge_request(evidence(HIDDEN["beside data"]), "be polite", {}, [])
    assert "damn it" in str(request["conversation"])
    same = judge_request(evidence(turn('{"total": 3}', data={"total": 3})), "be polite", {}, [])
    assert "conversation" not in same
