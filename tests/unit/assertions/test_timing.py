import pytest
from tests.fakes.evidence import call, check, evidence, turn

from vivavoce.errors import UsageError


async def test_latency_takes_a_duration_or_milliseconds():
    seen = evidence(turn("", start=1000, end=2500))
    for limit, holds in [("1.5s", True), ("1s", False), (1500, True), (1499.5, False)]:
        assert (await check("latency", seen, max=limit)).passed is holds


async def test_latency_counts_only_the_agents_own_time():
    seen = evidence(turn("", start=0, end=100), turn("", start=9000, end=9100), scope="case")
    assert (await check("latency", seen, max="200ms")).passed
    verdict = await check("latency", seen, max="199ms")
    assert verdict.reason == "answered 200ms, allowed 199ms"


async def test_duration_goes_from_the_first_line_to_the_last_reply():
    seen = evidence(turn("", start=0, end=100), turn("", start=9000, end=9100), scope="case")
    assert not (await check("max_duration_ms", seen, value=9000)).passed
    assert (await check("max_duration_ms", seen, value=9100)).passed


async def test_the_longest_gap_is_named():
    seen = evidence(turn("", call("a", at=100), call("b", at=200)), turn("", call("c", at=9200)), scope="case")
    verdict = await check("max_gap_ms", seen, value=5000)
    assert verdict.reason == "longest gap 9000ms (b → c), allowed 5000ms"


async def test_calls_without_times_cannot_be_timed():
    verdict = await check("max_gap_ms", evidence(turn("", call("a"), call("b", at=1))), value=1)
    assert verdict.reason == "no time was reported for a"
    assert not verdict.negatable


@pytest.mark.parametrize("limit", ["soon", "", -1, None, "0s"])
async def test_a_bad_limit_is_found_before_anything_runs(limit: object):
    with pytest.raises(UsageError):
        await check("latency", evidence(turn("")), max=limit)
