"""The conformance facts about judging: assertions, `expected`, and the AssertBlock."""

import json
from typing import Any

import msgspec
import pytest
from tests.fakes.assertion_table import fact_groups, facts
from tests.fakes.evidence import FakeJudge, FakeScripts, answered, call, evidence, helpers, turn

from vivavoce.engine.attempt.judging import assertions_of, judge
from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import Case, Origin
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.protocols import Evidence, Helpers
from vivavoce.sources.decoding.assertion_decoder import decode_assertions

SPEC_DECIDES = {
    "assert.contains-16": "SPEC, Decided since: an empty `contains` is refused.",
    "assert.negate-06": "`negate` must be a boolean: rejected at load ('a typo must never make a test pass').",
    "assert.multiple-07": "SPEC 2: 'Never load partially in silence': a non-object entry is rejected at load.",
    "assert.tool_called-16": "SPEC 5: 'object {name, arguments} = partial match, recursive'.",
    "assert.agent-13": "SPEC 7: 'viva ships default ones (… viva.validator)': a missing `use` means that one.",
}

OUTPUT_GROUPS = [f"assert.{name}" for name in ("equals", "contains", "not_contains", "json_path", "regex", "type")]
BLOCK_GROUPS = [
    f"agui.{name}"
    for name in (
        "forbid",
        "require",
        "count",
        "args_match",
        "result",
        "after",
        "forbid_calls",
        "timing",
        "text",
        "empty",
    )
]


def of_groups(*groups: str) -> list[Any]:
    return [pytest.param(one, id=one["id"], marks=_skipped(one["id"])) for one in facts(*groups)]


def _skipped(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.skip(reason=SPEC_DECIDES[name])] if name in SPEC_DECIDES else []


async def verdicts_of(written: Any, seen: Evidence, given: Helpers | None = None) -> tuple[Verdict, ...] | None:
    """None when the assertion is rejected at load, which no test can pass."""
    try:
        specs = decode_assertions(written, Origin("cases.jsonl", 1))
    except UsageError:
        return None
    return await judge(specs, seen, given or helpers())


def all_passed(verdicts: tuple[Verdict, ...] | None) -> bool:
    return verdicts is not None and all(verdict.passed for verdict in verdicts)


@pytest.mark.parametrize("fact", of_groups(*OUTPUT_GROUPS, "assert.negate"))
async def test_a_check_on_the_output(fact: dict[str, Any]):
    verdicts = await verdicts_of(fact["assertion"], answered(fact["output"]))
    assert all_passed(verdicts) is fact["passed"]


@pytest.mark.parametrize("fact", of_groups("assert.multiple"))
async def test_several_checks(fact: dict[str, Any]):
    verdicts = await verdicts_of(fact["assert"], answered(fact["output"]))
    assert all_passed(verdicts) is fact["passed"]
    if "error" in fact:
        assert "; ".join(verdict.reason for verdict in verdicts or () if not verdict.passed) == fact["error"]


@pytest.mark.parametrize("fact", of_groups("expected"))
async def test_the_expected_of_a_case(fact: dict[str, Any]):
    case = Case(id="T001", expected=fact["case"].get("expected", msgspec.UNSET))
    verdicts = await judge(assertions_of(case), answered(fact["output"], case=case), helpers())
    assert all_passed(verdicts) is fact["passed"]


@pytest.mark.parametrize("fact", of_groups("assert.tool_called", "assert.tool_result"))
async def test_a_check_on_tools(fact: dict[str, Any]):
    made = [
        call(one["tool"], one.get("arguments"), one.get("result", msgspec.UNSET), error=one.get("error"))
        for one in fact["tools"] or ()
    ]
    seen = evidence() if fact["tools"] is None else evidence(turn("", *made))
    verdicts = await verdicts_of(fact["assertion"], seen)
    assert all_passed(verdicts) is fact["passed"]


@pytest.mark.parametrize("fact", of_groups("assert.script"))
async def test_a_script_as_judge(fact: dict[str, Any]):
    def script(*_: Any) -> Any:
        if "raises" in fact:
            raise CallFailed(fact["raises"], fault="test")
        return fact["returns"]

    verdicts = await verdicts_of(fact["assertion"], answered("x"), helpers(scripts=FakeScripts(script)))
    assert verdicts is not None
    assert all_passed(verdicts) is fact["passed"]
    if fact["message"] is not None:
        assert verdicts[0].reason == fact["message"]


@pytest.mark.parametrize("fact", of_groups("assert.agent"))
async def test_an_agent_as_judge(fact: dict[str, Any]):
    missing = UsageError("unknown agent 'nonexistent.agent'")
    judged_by = FakeJudge(missing if fact.get("agent_missing") else fact.get("reply", '{"passed": true}'))
    seen = evidence(turn(fact.get("output", "x"), says=fact.get("input", "y")))
    verdicts = await verdicts_of(fact["assertion"], seen, helpers(judge=judged_by))
    assert verdicts is not None
    assert all_passed(verdicts) is fact.get("passed", True)
    if fact.get("reason"):
        assert verdicts[0].reason == fact["reason"]
    assert fact.get("message_contains", "") in verdicts[0].reason

    _, messages, options, _ = judged_by.asked[0]
    assert [message.role for message in messages] == ["user"]
    request = json.loads(messages[0].text)
    assert request == fact.get("request", request)
    assert request.items() >= fact.get("request_contains", {}).items()
    assert options.connector == fact.get("connector")
    assert options.metadata.items() >= fact.get("options_metadata", {}).items()
    assert options.skip == {"history": True}


@pytest.mark.parametrize("fact", of_groups("agui.test_level", *BLOCK_GROUPS))
async def test_an_assert_block(fact: dict[str, Any]):
    turns = fact["turns"] if fact["scope"] == "test" else [fact]
    seen = [
        turn(
            one["text"],
            *(
                call(made["name"], made["args"], made.get("result", msgspec.UNSET), at=made["timestamp"])
                for made in one["tool_calls"]
            ),
            start=one["start_ts"],
            end=one["end_ts"],
        )
        for one in turns
    ]
    verdicts = await verdicts_of(fact["assert"], evidence(*seen, scope="case" if len(seen) > 1 else "turn"))
    assert verdicts is not None
    assert all_passed(verdicts) is fact["passed"]
    assert all(verdict.outcome is not Outcome.BROKEN for verdict in verdicts)


def test_every_group_about_judging_is_tried():
    assert fact_groups("assert.") <= {
        *OUTPUT_GROUPS,
        *(f"assert.{n}" for n in ("negate", "multiple", "tool_called", "tool_result", "script", "agent")),
    }
