"""What the rules on all tools say. Plain verdicts are in the table."""

from tests.fakes.evidence import call, evidence, helpers, turn

from vivavoce.assertions.tool_limits import MaxCalls, OnlyTools

SEEN = evidence(turn("", call("shop__search")), turn("", call("refund"), call("refund")), scope="case")


async def test_the_others_are_named_with_their_turns():
    verdict = await OnlyTools(names=["search"]).check(SEEN, helpers())
    assert verdict.reason == "refund called (turn 2, turn 2), allowed: search"


async def test_no_tool_at_all():
    verdict = await OnlyTools(names=[]).check(SEEN, helpers())
    assert verdict.reason.endswith("allowed: no tool")


async def test_a_namespace_does_not_matter():
    assert (await OnlyTools(names=["search", "refund"]).check(SEEN, helpers())).passed


async def test_too_many_calls_are_counted_and_named():
    verdict = await MaxCalls(value=2).check(SEEN, helpers())
    assert verdict.reason == "tools were called 3 times, allowed 2 (called: shop__search, refund 2 times)"


def test_no_call_at_all_is_never_outvoted():
    assert MaxCalls(value=0).is_never_outvoted
    assert not MaxCalls(value=1).is_never_outvoted
