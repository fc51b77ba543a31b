"""What every registered assertion must be: a frozen struct whose verdicts can be encoded as JSON."""

import inspect
from typing import Any

import msgspec
import pytest
from tests.fakes.assertion_table import ROWS, smallest_fields
from tests.fakes.evidence import FakeJudge, FakeScripts, answered, call, evidence, helpers, turn

from vivavoce.assertions.clear_json import UnclearJson
from vivavoce.engine.attempt.judging import judge
from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec
from vivavoce.model.verdict import Verdict
from vivavoce.plugins.assertion_building import build_check
from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.protocols import Assertion, Evidence, Helpers

SMALLEST = {kind: smallest_fields(kind) for kind in ASSERTIONS}
SEEN = [
    answered(""),
    answered("x"),
    answered(None),
    answered([1.5, True]),
    evidence(turn("x", call("x", {"a": 1}, "x", at=1), call("ns__x", "raw", error="oh", at=5)), turn(""), scope="case"),
    evidence(turn("", call("x", result=None)), turn("x", state={"a": 1}), scope="final"),
    *{id(row.seen): row.seen for row in ROWS}.values(),
    evidence(),
]

RUN = [pytest.param(kind, marks=pytest.mark.process) if kind == "javascript" else kind for kind in SMALLEST]
"""All types, for tests that run them: JavaScript starts a process for each check."""


@pytest.mark.parametrize("kind", SMALLEST)
def test_a_check_is_a_frozen_struct_with_one_line_of_contract(kind: str):
    checker: Any = ASSERTIONS.load(kind)
    assert issubclass(checker, msgspec.Struct)
    assert checker.__struct_config__.frozen
    assert checker.__struct_config__.forbid_unknown_fields
    assert inspect.iscoroutinefunction(checker.check)
    assert checker.__doc__


@pytest.mark.parametrize("kind", SMALLEST)
def test_a_field_nobody_knows_is_rejected(kind: str):
    with pytest.raises(UsageError, match="unknown field 'nonsense'"):
        build_check(AssertionSpec(type=kind, fields={**SMALLEST[kind], "nonsense": 1}))


@pytest.mark.parametrize("negate", [False, True])
@pytest.mark.parametrize("kind", RUN)
async def test_every_verdict_has_a_reason_and_can_travel(kind: str, negate: bool):
    spec = AssertionSpec(type=kind, fields=SMALLEST[kind], negate=negate)
    for seen in SEEN:
        given = helpers(FakeJudge('{"passed": true, "reason": "fine"}'), FakeScripts(lambda *_: True))
        (verdict,) = await judge([spec], seen, given)
        assert verdict.reason
        assert verdict.spec is spec
        assert msgspec.json.decode(msgspec.json.encode(verdict), type=Verdict) == verdict


@pytest.mark.parametrize("kind", RUN)
async def test_a_check_judges_the_same_evidence_the_same_way(kind: str):
    check = build_check(AssertionSpec(type=kind, fields=SMALLEST[kind]))
    for seen in SEEN[:-1]:
        given = helpers(FakeJudge('{"passed": true, "reason": "fine"}'), FakeScripts(lambda *_: True))
        assert await judged(check, seen, given) == await judged(check, seen, given)


async def judged(check: Assertion, seen: Evidence, given: Helpers) -> Verdict | str:
    """The verdict, or what is unclear about the JSON in the answer: that is judged for all checks in one place."""
    try:
        return await check.check(seen, given)
    except UnclearJson as unclear:
        return str(unclear)
