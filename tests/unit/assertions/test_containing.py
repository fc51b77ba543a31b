from typing import Any

import pytest
from tests.fakes.evidence import answered, check

from vivavoce.errors import UsageError
from vivavoce.model.verdict import Outcome


async def test_contains_looks_into_the_compact_json_of_structured_output():
    verdict = await check("contains", answered({"b": 1.0, "a": "x"}), value='{"a":"x","b":1}')
    assert verdict.passed


async def test_contains_takes_a_value_that_is_not_text():
    assert (await check("contains", answered("the answer is 42"), value=42)).passed


async def test_contains_tells_what_was_missing_and_keeps_what_was_there():
    verdict = await check("contains", answered("goodbye"), value="hello")
    assert verdict.outcome is Outcome.FAILED
    assert verdict.reason == "output does not contain 'hello'"
    assert (verdict.expected, verdict.actual) == ("hello", "goodbye")


async def test_what_must_not_be_there_is_never_called_wanted():
    verdict = await check("not_contains", answered("hello"), value="ell")
    assert (verdict.expected, verdict.actual) == ({"never": "ell"}, "hello")
    verdict = await check("must_not_match", answered("hello"), value="l+")
    assert (verdict.expected, verdict.actual) == ({"never": "l+"}, "hello")


async def test_a_null_value_is_in_no_text():
    with pytest.raises(UsageError, match="null is in no text"):
        await check("contains", answered("x"), value=None)
    with pytest.raises(UsageError, match="null is in no text"):
        await check("not_contains", answered("x"), value=None)


@pytest.mark.parametrize("kind", ["contains", "not_contains"])
@pytest.mark.parametrize("value", [["error", "sorry"], ("error",), {"error": True}, []])
@pytest.mark.parametrize("output", ["sorry, an error occurred", None, 5])
async def test_a_list_or_object_is_in_no_text(kind: str, value: object, output: object):
    verdict = await check(kind, answered(output), value=value)
    assert verdict.outcome is Outcome.BROKEN
    assert "`any: true` or `all: true`" in verdict.reason


async def test_a_list_is_searched_as_json_in_structured_output():
    assert (await check("contains", answered({"a": ["x", "y"]}), value=["x", "y"])).passed
    assert not (await check("not_contains", answered({"a": ["x", "y"]}), value=["x", "y"])).passed
    assert (await check("not_contains", answered({"a": ["x"]}), value=["x", "y"])).passed
    assert (await check("contains", answered('{"a": ["x","y"]}'), value=["x", "y"])).passed


async def test_not_contains_shows_the_surroundings_of_what_it_found():
    verdict = await check("not_contains", answered("so then an error occurred"), value="error")
    assert verdict.reason == "output contains 'error': 'so then an error occurred'"


@pytest.mark.parametrize("kind", ["contains", "not_contains", "regex", "must_match", "must_not_match"])
async def test_what_is_in_every_text_checks_nothing(kind: str):
    with pytest.raises(UsageError, match="every text"):
        await check(kind, answered("x"), value="")


@pytest.mark.parametrize(
    ("fields", "seen", "reason"),
    [
        ({"value": ["Paid", "sorry"], "any": True}, True, "output contains 'Paid'"),
        ({"value": ["no", "sorry"], "any": True}, False, "output does not contain 'no' or 'sorry'"),
        ({"value": ["Paid", "EUR"], "all": True}, True, "output contains 'Paid' and 'EUR'"),
        ({"value": ["Paid", "no", "sorry"], "all": True}, False, "output does not contain 'no' and 'sorry'"),
        ({"value": "PAID", "ignore_case": True}, True, "output contains 'PAID'"),
        ({"value": ["eur", "USD"], "any": True, "ignore_case": True}, True, "output contains 'eur'"),
        ({"value": [5, "x"], "any": True}, True, "output contains 5"),
    ],
)
async def test_contains_says_which_of_several_texts_is_there_or_missing(fields: Any, seen: bool, reason: str):
    verdict = await check("contains", answered("Paid 5 EUR."), **fields)
    assert (verdict.passed, verdict.reason) == (seen, reason)


@pytest.mark.parametrize(
    ("fields", "held"),
    [
        ({"value": ["no", "sorry"], "any": True}, True),
        ({"value": ["no", "Paid"], "any": True}, False),
        ({"value": ["no", "Paid"], "all": True}, True),
        ({"value": ["EUR", "Paid"], "all": True}, False),
        ({"value": "paid"}, True),
        ({"value": "paid", "ignore_case": True}, False),
    ],
)
async def test_not_contains_is_the_opposite_of_contains(fields: Any, held: bool):
    assert (await check("not_contains", answered("Paid 5 EUR."), **fields)).passed is held
    assert (await check("contains", answered("Paid 5 EUR."), **fields)).passed is not held


async def test_case_is_ignored_where_folding_changes_the_length():
    verdict = await check("not_contains", answered("Die STRASSE ist weiß"), value="straße", ignore_case=True)
    assert verdict.reason == "output contains 'straße': 'die strasse ist weiss'"


@pytest.mark.parametrize(
    "fields",
    [
        {"value": "x", "any": True},
        {"value": [], "all": True},
        {"value": ["x", ""], "any": True},
        {"value": ["x", None], "all": True},
        {"value": ["x"], "any": True, "all": True},
    ],
)
@pytest.mark.parametrize("kind", ["contains", "not_contains"])
async def test_a_list_that_checks_nothing_is_refused(kind: str, fields: Any):
    with pytest.raises(UsageError, match=f"assertion '{kind}'"):
        await check(kind, answered("x"), **fields)


async def test_a_text_hidden_in_a_value_is_found_by_negative_checks_in_lists_too():
    hidden = answered({"note": 'say "sorry"'})
    assert not (await check("not_contains", hidden, value=["yes", 'say "sorry"'], any=True)).passed
    verdict = await check("contains", hidden, value=["yes", 'say "sorry"'], any=True)
    assert not verdict.passed
    assert not verdict.negatable
