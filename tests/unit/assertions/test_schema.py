from typing import Any

import pytest
from msgspec import UNSET
from tests.fakes.evidence import answered, check, helpers

from vivavoce.engine.attempt.judging import judge
from vivavoce.errors import UsageError
from vivavoce.model.case import AssertionSpec
from vivavoce.model.verdict import Outcome

PERSON = {
    "type": "object",
    "required": ["name", "age"],
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
}


async def test_every_error_is_listed():
    verdict = await check("json_schema", answered({"name": 1, "age": -1}), schema=PERSON)
    assert verdict.reason == (
        "output does not fit the schema in 2 places:\n"
        "  $.age: -1 is less than the minimum of 0\n"
        "  $.name: 1 is not of type 'string'"
    )
    assert [error["path"] for error in verdict.details["errors"]] == ["$.age", "$.name"]


async def test_digits_are_told_only_where_they_matter():
    sums = answered({"a": 0.1 + 0.2})
    wrong_type = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert "$.a: 0.3 is not of type 'string'" in (await check("json_schema", sums, schema=wrong_type)).reason
    too_much = {"type": "object", "properties": {"a": {"maximum": 0.3}}}
    assert "$.a: 0.30000000000000004 is greater than" in (await check("json_schema", sums, schema=too_much)).reason


async def test_many_errors_are_counted_and_the_first_told():
    verdict = await check("json_schema", answered(["x"] * 150), schema={"items": {"type": "number"}})
    assert verdict.reason.endswith("\n  and 140 more")
    assert verdict.reason.count("is not of type") == 10
    assert verdict.expected is UNSET, "a difference between a schema and data says nothing"
    assert len(verdict.details["errors"]) == 100


async def test_a_reference_to_elsewhere_is_never_fetched():
    schema = {"$ref": "http://127.0.0.1:9/schema.json"}
    (verdict,) = await judge([AssertionSpec(type="json_schema", fields={"schema": schema})], answered({}), helpers())
    assert verdict.outcome is Outcome.BROKEN
    assert "Unresolvable" in verdict.reason


@pytest.mark.parametrize(
    ("output", "schema", "holds"),
    [
        ('Here: ```json\n{"name": "Ann", "age": 3}\n```', PERSON, True),
        ("OK", {"type": "string", "maxLength": 2}, True),
        ('{"a": 1}', {"type": "string"}, True),
        ([1, 2], {"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "number"}}}, True),
        ([1, "2"], {"type": "array", "items": {"type": "number"}}, False),
        ({}, False, False),
        ({}, True, True),
    ],
)
async def test_what_is_validated(output: Any, schema: Any, holds: bool):
    assert (await check("json_schema", answered(output), schema=schema)).passed is holds


async def test_prose_without_json_fails_and_cannot_be_negated():
    verdict = await check("json_schema", answered("just words"), schema=PERSON)
    assert not verdict.passed
    assert not verdict.negatable


async def test_mended_json_is_said_to_be_mended():
    verdict = await check("json_schema", answered("{'name': 'Ann', 'age': 3,}"), schema=PERSON)
    assert verdict.details == {"repaired": True}


async def test_a_bad_schema_is_found_before_anything_runs():
    with pytest.raises(UsageError, match=r"bad JSON schema at \$\.type"):
        await check("json_schema", answered({}), schema={"type": "objekt"})


@pytest.mark.parametrize("schema", [{"pattern": "^(?!no)"}, {"properties": {"a": {"patternProperties": {"(": True}}}}])
async def test_a_pattern_we_cannot_use_is_found_before_anything_runs(schema: Any):
    with pytest.raises(UsageError, match=r"bad JSON schema at \$\..*: bad regex"):
        await check("json_schema", answered({}), schema=schema)
