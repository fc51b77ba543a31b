import asyncio

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
    assert "write one assertion per text" in verdict.reason


async def test_a_list_is_searched_as_json_in_structured_output():
    assert (await check("contains", answered({"a": ["x", "y"]}), value=["x", "y"])).passed
    assert not (await check("not_contains", answered({"a": ["x", "y"]}), value=["x", "y"])).passed
    assert (await check("not_contains", answered({"a": ["x"]}), value=["x", "y"])).passed
    assert (await check("contains", answered('{"a": ["x","y"]}'), value=["x", "y"])).passed


async def test_not_contains_shows_the_surroundings_of_what_it_found():
    verdict = await check("not_contains", answered("so then an error occurred"), value="error")
    assert verdict.reason == "output contains 'error': 'so then an error occurred'"


async def test_regex_shows_the_pattern_and_the_text_it_met():
    verdict = await check("regex", answered("order-x"), value=r"order-\d+")
    assert verdict.reason == r"output does not match /order-\d+/: 'order-x'"


async def test_regex_takes_flags_after_slashes():
    assert (await check("regex", answered("HELLO"), value="/hello/i")).passed
    assert not (await check("regex", answered("HELLO"), value="/hello/m")).passed


@pytest.mark.parametrize("kind", ["contains", "not_contains", "regex", "must_match", "must_not_match"])
async def test_what_is_in_every_text_checks_nothing(kind: str):
    with pytest.raises(UsageError, match="every text"):
        await check(kind, answered("x"), value="")


async def test_a_bad_regex_is_found_before_anything_runs():
    with pytest.raises(UsageError, match="bad regex"):
        await check("regex", answered("x"), value="(")


async def test_similar_passes_from_its_threshold_on():
    seen = answered("the quick brown fox")
    near = await check("similar", seen, value="the quick brown fix")
    assert near.passed
    assert near.score == pytest.approx(0.947, abs=0.001)
    strict = await check("similar", seen, value="the quick brown fix", threshold=0.99)
    assert strict.outcome is Outcome.FAILED
    assert strict.reason.startswith("output is 0.95 like 'the quick brown fix', wanted at least 0.99")


@pytest.mark.parametrize("threshold", [-0.1, 1.1, "high"])
async def test_similar_needs_a_threshold_between_nothing_and_all(threshold: object):
    with pytest.raises(UsageError, match="threshold"):
        await check("similar", answered("x"), value="x", threshold=threshold)


async def test_two_empty_texts_are_alike():
    assert (await check("similar", answered(""), value="")).score == 1.0


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("regex", {"value": "zzz"}),
        ("contains", {"value": "zzz"}),
        ("not_contains", {"value": "middle"}),
        ("similar", {"value": "zzz"}),
        ("equals", {"value": "zzz"}),
        ("json_path", {"path": "a", "value": 1}),
        ("must_match", {"value": "zzz"}),
        ("must_not_match", {"value": "middle"}),
        ("json_schema", {"schema": {"type": "object"}}),
    ],
)
async def test_a_huge_reply_is_never_copied_into_a_verdict(kind: str, fields: dict[str, object]):
    huge = "a" * 2_000_000 + " middle " + "b" * 2_000_000
    verdict = await check(kind, answered(huge), **fields)
    assert verdict.outcome is Outcome.FAILED
    assert len(verdict.reason) < 400
    assert len(str(verdict.actual)) < 21_000


async def test_searching_a_huge_text_leaves_the_loop_free():
    ticks = 0

    async def clock() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(clock())
    await check("regex", answered("ab " * 1_000_000), value="zzz")
    other.cancel()
    assert ticks > 0
