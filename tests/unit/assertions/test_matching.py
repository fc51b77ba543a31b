import asyncio

import pytest
from tests.fakes.evidence import answered, check

from vivavoce.errors import UsageError
from vivavoce.model.verdict import Outcome


async def test_regex_shows_the_pattern_and_the_text_it_met():
    verdict = await check("regex", answered("order-x"), value=r"order-\d+")
    assert verdict.reason == r"output does not match /order-\d+/: 'order-x'"


async def test_regex_takes_flags_after_slashes():
    assert (await check("regex", answered("HELLO"), value="/hello/i")).passed
    assert not (await check("regex", answered("HELLO"), value="/hello/m")).passed


async def test_a_bad_regex_is_found_before_anything_runs():
    with pytest.raises(UsageError, match="bad regex"):
        await check("regex", answered("x"), value="(")


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
