from typing import Any

import pytest
from tests.fakes.evidence import answered, call, check, evidence, helpers, turn

from vivavoce.engine.attempt.judging import judge
from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec
from vivavoce.model.verdict import Outcome


@pytest.mark.parametrize(
    ("output", "value", "same"),
    [
        ({"a": 1, "b": [1.0]}, {"b": [1], "a": 1.0}, True),
        (1, True, False),
        ([1, 2], [2, 1], False),
        ('{"a": 1}', {"a": 1}, True),
        ('```json\n[{"a": 1}]\n```', [{"a": 1}], True),
        ('Here: {"a": 1}', {"a": 1}, False),
        ('{"a": 1', {"a": 1}, False),
        ("```json\n{}\n```\n```json\n{}\n```", {}, False),
        ('"a"', "a", False),
        (None, None, True),
    ],
)
async def test_equality_is_structural(output: Any, value: Any, same: bool):
    assert (await check("equals", answered(output), value=value)).passed is same


async def test_equals_names_the_places_that_differ():
    verdict = await check("equals", answered({"a": {"b": 2}, "c": 3}), value={"a": {"b": 1}, "d": 4})
    assert verdict.reason == "a.b was 2, wanted 1; d was missing, wanted 4; c was 3, which was not wanted"
    assert verdict.details["diff"][0] == {"path": "a.b", "expected": 1, "actual": 2}


@pytest.mark.parametrize("value", ["a", [], {"a": 1}])
async def test_any_needs_a_list_of_values(value: Any):
    with pytest.raises(UsageError, match="`any: true` needs a list of values"):
        await check("equals", answered("a"), value=value, any=True)


async def test_an_output_that_is_none_of_several_names_them():
    verdict = await check("equals", answered("c"), value=["a", "b"], any=True)
    assert (verdict.reason, verdict.actual) == ('output is none of ["a","b"]', "c")


async def test_a_path_without_a_value_asks_whether_something_is_there():
    seen = answered({"a": None})
    assert (await check("json_path", seen, path="a")).passed
    missing = await check("json_path", seen, path="b")
    assert (missing.outcome, missing.reason) == (Outcome.FAILED, "b is missing")


async def test_a_path_that_leads_nowhere_is_null():
    assert (await check("json_path", answered({"a": 1}), path="$.b", value=None)).passed


@pytest.mark.parametrize(
    ("path", "value", "holds"),
    [
        ("$.items[*].name", ["a", "b"], True),
        ("$.items[*].name", "a", False),
        ("$..name", ["a", "b"], True),
        ("$.items[?@.price > 10].name", "b", True),
        ("$.items[?@.price > 10].name", ["b"], True),
        ("$.items[?@.price > 99].name", [], True),
        ("$.items[?@.price > 99].name", None, True),
        ("$['items'][0]['name']", "a", True),
        ("items[-1].name", "b", True),
        ("items.1.name", "b", True),
        ("$", {"items": [{"name": "a", "price": 5}, {"name": "b", "price": 20}]}, True),
    ],
)
async def test_paths_reach_as_far_as_rfc_9535(path: str, value: Any, holds: bool):
    output = {"items": [{"name": "a", "price": 5}, {"name": "b", "price": 20}]}
    assert (await check("json_path", answered(output), path=path, value=value)).passed is holds


async def test_a_list_of_values_means_one_of_them():
    seen = answered({"status": "open"})
    assert (await check("json_path", seen, path="status", value=["open", "new"])).passed
    verdict = await check("json_path", seen, path="status", value=["done", "new"])
    assert verdict.reason == """status is 'open', wanted one of ["done","new"]"""


async def test_without_json_a_path_fails_and_cannot_be_negated():
    for output in ("just words", 42, None):
        verdict = await check("json_path", answered(output), path="a", value=1)
        assert verdict.outcome is Outcome.FAILED
        assert not verdict.negatable


async def test_mended_json_is_said_to_be_mended():
    verdict = await check("json_path", answered("{'a': 1, }"), path="a", value=1)
    assert verdict.passed
    assert verdict.details["repaired"] is True


async def test_a_bad_path_is_found_before_anything_runs():
    for kind in ("json_path", "type"):
        with pytest.raises(UsageError, match="bad JSON path"):
            await check(kind, answered({}), path="$.a[", value="string")


class TestFinalAssertions:
    """Where a path is looked up after a conversation."""

    def conversation(self, last: str = "Done."):
        first = turn("", call("create", result={"expense": {"status": "draft"}}), call("note", result="plain"))
        second = turn("", call("submit", result='{"expense": {"status": "submitted"}}'), state={"total": 5})
        return evidence(first, second, turn(last), scope="final")

    async def test_the_last_reply_comes_first(self):
        seen = self.conversation('{"expense": {"status": "closed"}}')
        assert (await check("json_path", seen, path="$.expense.status", value="closed")).passed

    async def test_then_the_state(self):
        verdict = await check("json_path", self.conversation(), path="$.total", value=5)
        assert verdict.passed
        assert verdict.details["found_in"] == "state"

    async def test_then_the_newest_tool_result(self):
        verdict = await check("json_path", self.conversation(), path="$.expense.status", value="submitted")
        assert verdict.passed
        assert verdict.details["found_in"] == "result of submit"

    async def test_nowhere_is_missing(self):
        verdict = await check("json_path", self.conversation(), path="$.nothing", value=1)
        assert verdict.reason == "$.nothing is missing, wanted 1"

    async def test_a_turn_looks_only_at_its_own_reply(self):
        seen = evidence(turn("Done.", call("submit", result={"status": "submitted"})))
        assert not (await check("json_path", seen, path="status", value="submitted")).passed


async def test_type_is_told_in_json_words():
    verdict = await check("type", answered([1]), value="object")
    assert verdict.reason == "output is an array, wanted an object"
    assert (verdict.expected, verdict.actual) == ("object", "array")


async def test_type_at_a_path():
    seen = answered('{"count": 3}')
    assert (await check("type", seen, path="$.count", value="number")).passed
    assert (await check("type", seen, path="$.missing", value="null")).passed
    assert not (await check("type", answered("words"), path="$.count", value="null")).negatable


async def test_a_type_json_does_not_know_is_rejected():
    with pytest.raises(UsageError, match="integer"):
        await check("type", answered(1), value="integer")


async def test_a_bad_pattern_from_the_answer_breaks_the_check_also_when_negated():
    spec = AssertionSpec(type="json_path", fields={"path": "$[?match(@, $.pattern)]"}, negate=True)
    (verdict,) = await judge([spec], answered({"pattern": "("}), helpers())
    assert verdict.outcome is Outcome.BROKEN
    assert "bad regex '('" in verdict.reason
