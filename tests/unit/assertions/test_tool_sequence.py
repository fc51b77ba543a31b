"""Sequences of calls: what is told, and what cannot be told. Plain verdicts are in the table."""

from typing import Any

import pytest
from tests.fakes.evidence import call, evidence, helpers, turn

from vivavoce.assertions.tool_sequence import Step, ToolSequence
from vivavoce.model.verdict import Outcome

SEEN = evidence(
    turn("", call("search", {"query": "mug"}), call("pay", {"amount": 5, "card": "4242"})),
    turn("", call("pay", {"amount": 7})),
    scope="case",
)


async def verdict_of(*calls: Any, match: Any = "exact"):
    return await ToolSequence(calls=list(calls), match=match).check(SEEN, helpers())


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        (["search", "pay"], "call 3 was pay, wanted no more (called: search, pay, pay)"),
        (["search", "pay", "pay", "ship"], "call 4 was missing, wanted ship (called: search, pay, pay)"),
        (["search", "ship", "pay"], "call 2 (turn 1) was pay, wanted ship (called: search, pay, pay)"),
        (
            ["search", Step(name="pay", args={"amount": 5}), "pay"],
            "call 2 (turn 1), pay: card was '4242', which was not wanted",
        ),
        (
            ["search", Step(name="pay", args_match={"amount": "^6$"}), "pay"],
            "call 2 (turn 1), pay: amount was 5, wanted /^6$/",
        ),
    ],
)
async def test_an_exact_sequence_tells_the_first_call_that_differs(calls: list[Any], reason: str):
    verdict = await verdict_of(*calls)
    assert (verdict.outcome, verdict.reason) == (Outcome.FAILED, reason)


async def test_in_order_tells_after_which_call_one_is_missing():
    verdict = await verdict_of("pay", "search", match="in_order")
    assert verdict.reason == "search was not called after pay (called: search, pay, pay)"


async def test_in_any_order_each_step_needs_a_call_of_its_own():
    """The first step must give its call up for the second, which fits no other."""
    assert (await verdict_of("pay", Step(name="pay", args_match={"card": "4242"}), match="any_order")).passed
    verdict = await verdict_of("pay", "pay", "pay", match="any_order")
    assert verdict.reason == "pay was called fewer than 3 times (called: search, pay, pay)"


async def test_arguments_that_cannot_be_read_break_only_sequences_that_ask_for_them():
    seen = evidence(turn("", call("pay", "five euros")))
    assert (await ToolSequence(calls=["pay"]).check(seen, helpers())).passed
    asked = await ToolSequence(calls=[Step(name="pay", args={"amount": 5})]).check(seen, helpers())
    assert asked.outcome is Outcome.BROKEN
    assert "no JSON object" in asked.reason


def test_only_an_exact_sequence_is_doubted_by_one_more_call():
    assert ToolSequence(calls=["a"]).doubted_by == "call"
    assert ToolSequence(calls=["a"], match="in_order").doubted_by == "nothing"


def test_a_bad_pattern_is_refused_at_once():
    with pytest.raises(ValueError, match="bad regex"):
        ToolSequence(calls=[Step(name="pay", args_match={"amount": "("})])


async def test_calls_are_spelt_as_everywhere_on_the_console():
    verdict = await verdict_of("search", Step(name="pay", args={"amount": 6}))
    found = ["calls:", 'search({query: "mug"})', 'pay({amount: 5, card: "4242"})', "pay({amount: 7})"]
    assert verdict.actual == "\n  ".join(found)


async def test_a_call_that_fits_its_step_is_no_difference():
    verdict = await verdict_of(
        "search", Step(name="pay", args={"amount": 6}), Step(name="pay", args_match={"amount": "7"})
    )
    wanted = ["calls:", 'search({query: "mug"})', "pay({amount: 6})", "pay({amount: 7})"]
    assert verdict.expected == "\n  ".join(wanted)


async def test_wanted_arguments_stand_in_the_order_of_the_call():
    verdict = await verdict_of("search", Step(name="pay", args={"currency": "EUR", "card": "1", "amount": 5}), "pay")
    assert '  pay({amount: 5, card: "1", currency: "EUR"})' in str(verdict.expected).splitlines()


async def test_patterns_for_arguments_are_shown_with_their_step():
    verdict = await verdict_of("search", Step(name="pay", args_match={"amount": "^6$"}), "pay")
    assert "  pay with amount /^6$/" in str(verdict.expected).splitlines()


async def test_a_sequence_of_nothing_says_so():
    verdict = await ToolSequence(calls=["pay"]).check(evidence(turn("")), helpers())
    assert (verdict.expected, verdict.actual) == ("calls:\n  pay", "calls:\n  (none)")
