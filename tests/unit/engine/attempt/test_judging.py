import asyncio
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from tests.fakes.evidence import FakeJudge, FakeScripts, answered, call, evidence, helpers, turn

from vivavoce.engine.attempt.judging import assertions_of, judge
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.protocols import Evidence
from vivavoce.script_testing.record import ScriptTestRecord


async def verdict_of(kind: str, fields: dict[str, Any], seen: Evidence, **common: Any) -> Verdict:
    (verdict,) = await judge([AssertionSpec(type=kind, fields=fields, **common)], seen, helpers())
    return verdict


async def test_every_spec_gets_its_verdict_whatever_the_others_say():
    specs = [
        AssertionSpec(type="contains", fields={"value": "a"}),
        AssertionSpec(type="no such type"),
        AssertionSpec(type="contains", fields={"value": "x"}),
    ]
    verdicts = await judge(specs, answered("x"), helpers())
    assert [v.outcome for v in verdicts] == [Outcome.FAILED, Outcome.BROKEN, Outcome.PASSED]
    assert [v.spec for v in verdicts] == specs


class Bent(msgspec.Struct):
    async def check(self, evidence: Any, helpers: Any) -> Any:
        outcome: Any = "great"
        return Verdict(outcome=outcome)


@pytest.mark.parametrize("negate", [False, True])
async def test_a_verdict_that_is_neither_passed_nor_failed_is_broken(negate: bool):
    ASSERTIONS.register("bent", Bent, "test_judging.py")
    verdict = await verdict_of("bent", {}, answered("x"), negate=negate)
    ASSERTIONS.forget_file("test_judging.py")
    assert verdict.outcome is Outcome.BROKEN
    assert "'great'" in verdict.reason


class Careless(msgspec.Struct):
    async def check(self, evidence: Any, helpers: Any) -> Any:
        return True


@pytest.mark.parametrize("negate", [False, True])
async def test_a_check_that_returns_no_verdict_is_broken(negate: bool):
    ASSERTIONS.register("careless", Careless, "test_judging.py")
    verdict = await verdict_of("careless", {}, answered("x"), negate=negate)
    ASSERTIONS.forget_file("test_judging.py")
    assert verdict.outcome is Outcome.BROKEN
    assert "plug-in 'careless' (viva.assertions) of test_judging.py does not work: its check returned a bool" in (
        verdict.reason
    )


async def test_negation_turns_a_verdict_and_says_so():
    turned = await verdict_of("contains", {"value": "error"}, answered("an error"), negate=True)
    assert turned.outcome is Outcome.FAILED
    assert turned.reason == "output contains 'error' (negated: it must not)"
    assert turned.actual == "an error"
    held = await verdict_of("contains", {"value": "error"}, answered("fine"), negate=True)
    assert (held.outcome, held.actual) == (Outcome.PASSED, UNSET)


async def test_negation_never_saves_a_check_that_had_nothing_to_judge():
    for seen in (answered("just words"), evidence()):
        assert not (await verdict_of("json_path", {"path": "a", "value": 1}, seen, negate=True)).passed
    assert not (await verdict_of("cost", {"max": 1}, answered("x"), negate=True)).passed


async def test_negation_never_saves_a_check_that_broke():
    spec = AssertionSpec(type="agent", fields={"value": "is polite"}, negate=True)
    (verdict,) = await judge([spec], answered("x"), helpers(judge=FakeJudge("no json")))
    assert verdict.outcome is Outcome.BROKEN


async def test_the_authors_message_is_shown_and_the_seen_reason_kept():
    verdict = await verdict_of("contains", {"value": "hi"}, answered("x"), message="must greet")
    assert verdict.reason == "must greet"
    assert verdict.details["seen"] == "output does not contain 'hi'"


async def test_the_authors_message_does_not_hide_why_a_check_broke():
    verdict = await verdict_of("no such type", {}, answered("x"), message="must greet")
    assert "unknown assertion type" in verdict.reason


async def test_the_authors_message_is_not_shown_for_a_pass():
    assert (await verdict_of("contains", {"value": "x"}, answered("x"), message="must greet")).reason != "must greet"


async def test_a_path_narrows_what_is_judged():
    seen = answered('{"title": "hello", "body": "error"}')
    assert (await verdict_of("not_contains", {"value": "error"}, seen, path="$.title")).passed
    assert not (await verdict_of("not_contains", {"value": "error"}, seen, path="$.body")).passed
    assert (await verdict_of("equals", {"value": "hello"}, seen, path="title")).passed


@pytest.mark.parametrize(("output", "path"), [({"title": "x"}, "titel"), ("words", "title")])
async def test_a_path_to_nothing_fails_negated_or_not(output: Any, path: str):
    for negate in (True, False):
        verdict = await verdict_of("not_contains", {"value": "x"}, answered(output), path=path, negate=negate)
        assert verdict.outcome is Outcome.FAILED
        assert f"nothing to judge at {path}" in verdict.reason


async def test_a_final_path_also_narrows_to_tool_results():
    seen = evidence(turn("", call("submit", result={"ref": "EXP-1"})), turn("Done."), scope="final")
    assert (await verdict_of("regex", {"value": "^EXP-"}, seen, path="$.ref")).passed


async def test_without_a_reply_nothing_passes():
    for kind, fields in [("forbid", {"name": "x"}), ("not_contains", {"value": "x"}), ("max_gap_ms", {"value": 1})]:
        for negate in (True, False):
            assert (await verdict_of(kind, fields, evidence(), negate=negate)).outcome is Outcome.FAILED


@pytest.mark.parametrize("kind", ["agent", "script"])
async def test_an_exception_in_a_check_is_a_broken_verdict(kind: str):
    def boom(*_: Any) -> None:
        raise KeyError("boom")

    spec = AssertionSpec(type=kind, fields={"use": "x:y"})
    given = helpers(judge=FakeJudge(KeyError("boom")), scripts=FakeScripts(boom))
    (verdict,) = await judge([spec], answered("x"), given)
    assert verdict.outcome is Outcome.BROKEN
    assert verdict.reason.startswith("KeyError: 'boom' (tests/")


async def test_an_output_that_is_no_json_breaks_the_check_only():
    verdict = await verdict_of("contains", {"value": "x"}, answered({"a": object()}))
    assert verdict.outcome is Outcome.BROKEN


async def test_negating_a_skipped_check_leaves_it_skipped():
    record = msgspec.to_builtins(ScriptTestRecord(test="test_x", skipped="not here"))
    verdict = await verdict_of("script_test", {}, answered(record), negate=True)
    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "not here")


async def test_cancelling_is_not_a_verdict():
    spec = AssertionSpec(type="agent", fields={"value": "is polite"})
    judging = asyncio.create_task(judge([spec], answered("x"), helpers(judge=FakeJudge("{}", delay_s=5))))
    await asyncio.sleep(0.01)
    judging.cancel()
    with pytest.raises(asyncio.CancelledError):
        await judging


def test_a_case_is_held_to_its_expected_only_without_assertions():
    spec = AssertionSpec(type="contains", fields={"value": "x"})
    assert assertions_of(Case(id="a", expected=1, assertions=(spec,))) == (spec,)
    (equals,) = assertions_of(Case(id="a", expected=None))
    assert (equals.type, equals.fields) == ("equals", {"value": None})
    assert equals.written == {"type": "equals", "value": None}
    assert assertions_of(Case(id="a")) == ()
