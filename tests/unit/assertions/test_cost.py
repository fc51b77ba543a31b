import pytest
from tests.fakes.evidence import check, evidence, turn

from vivavoce.errors import UsageError
from vivavoce.model.message import Usage


async def test_money_and_tokens_are_summed_over_the_turns():
    seen = evidence(turn("", usage=Usage(10, 5, 0.01)), turn("", usage=Usage(20, 5, 0.02)), scope="case")
    assert (await check("cost", seen, max=0.03, max_tokens=40)).passed
    dear = await check("cost", seen, max=0.02)
    assert dear.reason == "cost 0.03, allowed 0.02"
    assert dear.actual == {"cost": 0.03, "tokens": 40}
    assert (await check("cost", seen, max=1, max_tokens=39)).reason == "cost 0.03, allowed 1; 40 tokens, allowed 39"


async def test_one_limit_kept_does_not_excuse_the_other():
    seen = evidence(turn("", usage=Usage(10, 5, 0.5)))
    assert not (await check("cost", seen, max=0.1, max_tokens=100)).passed
    verdict = await check("cost", seen, max=1, max_tokens=1)
    assert verdict.expected == {"max": 1, "max_tokens": 1}
    assert (await check("cost", seen, max_tokens=1)).expected == {"max_tokens": 1}


async def test_a_cost_nobody_reported_is_not_a_low_one():
    for seen, fields in [
        (evidence(turn("")), {"max_tokens": 10}),
        (evidence(turn("", usage=Usage(1, 1)), turn("")), {"max_tokens": 10}),
        (evidence(turn("", usage=Usage(1, 1))), {"max": 10}),
        (evidence(turn("", usage=Usage(1, 1, 0.1)), turn("", usage=Usage(1, 1))), {"max": 10}),
    ]:
        verdict = await check("cost", seen, **fields)
        assert not verdict.passed
        assert not verdict.negatable


async def test_a_limit_is_needed():
    with pytest.raises(UsageError, match="max_tokens"):
        await check("cost", evidence(turn("")))
