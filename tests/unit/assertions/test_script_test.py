"""The verdict on a script test, from the record of what it did."""

from typing import Any

import msgspec
import pytest
from tests.fakes.evidence import answered, check

from vivavoce.model.verdict import Outcome
from vivavoce.script_testing.record import CheckRecord, ScriptTestRecord

HELD = CheckRecord(check="Equal", outcome=Outcome.PASSED, line=3)
MISSED = CheckRecord(check="Contains", outcome=Outcome.FAILED, reason='"a" is not in "b"', line=4)
BROKE = CheckRecord(check="Agent", outcome=Outcome.BROKEN, reason="no judge", line=5, fault="judge")


async def verdict_on(**fields: Any):
    record = ScriptTestRecord(test="test_x", **fields)
    return await check("script_test", answered(msgspec.to_builtins(record)))


async def test_a_test_whose_checks_all_held_passes():
    verdict = await verdict_on(checks=(HELD, HELD), logs=("hello",))
    assert (verdict.outcome, verdict.reason) == (Outcome.PASSED, "2 checks held")
    assert verdict.details == {"checks": ["passed: Equal", "passed: Equal"], "logs": ["hello"]}


async def test_every_failed_check_is_in_the_reason_with_its_line():
    verdict = await verdict_on(checks=(HELD, MISSED, MISSED))
    assert verdict.outcome is Outcome.FAILED
    assert verdict.reason == "; ".join(['Contains: "a" is not in "b" (line 4)'] * 2)


async def test_a_failure_is_told_before_what_broke_and_before_a_skip():
    verdict = await verdict_on(checks=(BROKE, MISSED), error="ValueError: boom", skipped="later")
    assert verdict.outcome is Outcome.FAILED
    assert verdict.reason.startswith("Contains:")
    assert verdict.reason.endswith("no judge (line 5); ValueError: boom")


async def test_a_check_that_broke_is_no_pass_and_names_who_is_to_blame():
    verdict = await verdict_on(checks=(HELD, BROKE))
    assert verdict.outcome is Outcome.BROKEN
    assert verdict.fault == "judge"


async def test_a_test_that_crashed_is_broken():
    verdict = await verdict_on(checks=(HELD,), error="ValueError: boom", fault="test")
    assert (verdict.outcome, verdict.reason) == (Outcome.BROKEN, "ValueError: boom")


async def test_a_test_that_skips_itself_is_skipped():
    verdict = await verdict_on(checks=(HELD,), skipped="no database here")
    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "no database here")
    assert not verdict.passed
    assert not verdict.unsuccessful


@pytest.mark.parametrize("output", ["plain text", {"other": 1}, [1]])
async def test_an_ordinary_reply_is_no_record(output: Any):
    verdict = await check("script_test", answered(output))
    assert verdict.outcome is Outcome.BROKEN
