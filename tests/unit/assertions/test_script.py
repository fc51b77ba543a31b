from typing import Any

import pytest
from tests.fakes.evidence import FakeScripts, answered, call, evidence, helpers, turn

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.plugins.assertion_building import build_check
from vivavoce.protocols import Evidence

CONTRADICTION = {"pass": True, "passed": False}


async def judged_by(script: Any, seen: Evidence | None = None, **fields: Any) -> Verdict:
    spec = AssertionSpec(type="script", fields={"use": "scripts:tests.check", **fields})
    return await build_check(spec).check(seen or answered("out"), helpers(scripts=FakeScripts(script)))


async def test_a_script_gets_output_input_expected_and_a_context():
    got: dict[str, Any] = {}

    def script(output: Any, asked: Any, expected: Any, ctx: dict[str, Any]) -> bool:
        got.update(output=output, asked=asked, expected=expected, ctx=ctx)
        return True

    seen = evidence(turn("out", call("pay", {"n": 1}, "ok"), says="in"), case=Case(id="T7", expected="want"))
    verdict = await judged_by(script, seen, options={"metadata": {"min": 100}})
    assert verdict.passed
    assert (got["output"], got["asked"], got["expected"]) == ("out", "in", "want")
    assert got["ctx"]["metadata"] == {"min": 100}
    assert got["ctx"]["case"]["id"] == "T7"
    assert got["ctx"]["turns"][0]["tool_calls"] == [{"name": "pay", "args": {"n": 1}, "result": "ok"}]


async def test_a_value_of_the_assertion_is_what_is_expected():
    seen = answered("out", case=Case(id="T7", expected="want"))
    assert (await judged_by(lambda o, i, expected, c: expected == [1], seen, value=[1])).passed


@pytest.mark.parametrize("key", ["pass", "passed"])
async def test_a_detailed_answer_says_why(key: str):
    verdict = await judged_by(lambda *_: {key: False, "message": "no keywords"})
    assert (verdict.outcome, verdict.reason) == (Outcome.FAILED, "no keywords")


async def test_the_same_word_twice_is_no_contradiction():
    assert (await judged_by(lambda *_: {"pass": True, "passed": True})).passed


async def test_an_assertion_error_is_a_failure():
    def script(*_: Any) -> None:
        raise AssertionError("amount too low")

    verdict = await judged_by(script)
    assert (verdict.outcome, verdict.reason) == (Outcome.FAILED, "amount too low")


@pytest.mark.parametrize("answer", [None, 1, "ok", [], {"message": "x"}, {"pass": "true"}, CONTRADICTION])
async def test_any_other_answer_is_a_broken_check(answer: Any):
    assert (await judged_by(lambda *_: answer)).outcome is Outcome.BROKEN


@pytest.mark.parametrize("error", [CallFailed("ValueError: boom", fault="test"), UsageError("script not found")])
async def test_a_script_that_does_not_work_is_a_broken_check(error: Exception):
    def script(*_: Any) -> None:
        raise error

    verdict = await judged_by(script)
    assert verdict.outcome is Outcome.BROKEN
    assert verdict.reason == f"script execution failed: {error}"


async def test_a_script_that_never_ends_is_a_broken_check():
    spec = AssertionSpec(type="script", fields={"use": "scripts:tests.check"})
    slow = helpers(scripts=FakeScripts(lambda *_: True, delay_s=5), judge_timeout_s=0.01)
    verdict = await build_check(spec).check(answered("out"), slow)
    assert (verdict.outcome, verdict.reason) == (Outcome.BROKEN, "script timed out after 10ms")
