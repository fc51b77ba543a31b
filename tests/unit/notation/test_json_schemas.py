"""Patterns in schemas: as the library reads them, but in linear time, wherever a schema may hide one."""

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.notation.json_schemas import in_linear_time

HOSTILE = "^(a+)+$"
TEXT = "a" * 40 + "!"
LATEST = "https://json-schema.org/draft/2020-12/schema"
OF_2019 = "https://json-schema.org/draft/2019-09/schema"
SEVEN = "http://json-schema.org/draft-07/schema#"
FOUR = "http://json-schema.org/draft-04/schema#"


def messages(schema: Any, value: Any) -> list[str]:
    jsonschema: Any = import_module("jsonschema")
    draft = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    return [error.message for error in in_linear_time(draft)(schema).iter_errors(value)]


@pytest.mark.parametrize(
    ("schema", "value", "complaint"),
    [
        ({"pattern": HOSTILE}, TEXT, f"'{TEXT}' does not match '{HOSTILE}'"),
        ({"propertyNames": {"pattern": HOSTILE}}, {TEXT: 1}, f"'{TEXT}' does not match '{HOSTILE}'"),
        ({"patternProperties": {HOSTILE: False}}, {TEXT: 1}, None),
        (
            {"patternProperties": {HOSTILE: True}, "additionalProperties": False},
            {TEXT: 1},
            f"'{TEXT}' does not match any of the regexes: '{HOSTILE}'",
        ),
        (
            {"patternProperties": {HOSTILE: True}, "unevaluatedProperties": False},
            {TEXT: 1},
            f"Unevaluated properties are not allowed ('{TEXT}' was unexpected)",
        ),
        (
            {"$schema": OF_2019, "allOf": [{"patternProperties": {HOSTILE: True}}], "unevaluatedProperties": False},
            {TEXT: 1},
            f"Unevaluated properties are not allowed ('{TEXT}' was unexpected)",
        ),
        (
            {"$schema": FOUR, "patternProperties": {HOSTILE: {}}, "additionalProperties": False},
            {TEXT: 1},
            f"'{TEXT}' does not match any of the regexes: '{HOSTILE}'",
        ),
        (
            {"$schema": LATEST, "properties": {"s": {"pattern": HOSTILE}, "next": {"$ref": "#"}}},
            {"next": {"s": TEXT}},
            f"'{TEXT}' does not match '{HOSTILE}'",
        ),
        (
            {"$schema": LATEST, "properties": {"s": {"$schema": SEVEN, "pattern": HOSTILE}}},
            {"s": TEXT},
            f"'{TEXT}' does not match '{HOSTILE}'",
        ),
    ],
)
def test_a_hostile_pattern_takes_no_time(schema: Any, value: Any, complaint: str | None):
    assert messages(schema, value) == ([] if complaint is None else [complaint])


def test_properties_that_a_pattern_names_are_evaluated():
    schema = {"patternProperties": {"^x-": {"type": "string"}}, "unevaluatedProperties": False}
    assert messages(schema, {"x-a": "1"}) == []
    assert messages(schema, {"x-a": 1}) == ["1 is not of type 'string'"]


def test_patterns_are_not_anchored_and_know_no_flags():
    assert messages({"pattern": "/users/s"}, "GET /users/s") == []
    assert messages({"pattern": "/users/s"}, "users") == ["'users' does not match '/users/s'"]


@pytest.mark.parametrize(
    ("pattern", "text"), [(r"^[\u4e00-\u9fff]+$", "中文"), (r"^\u00E9$", "é"), (r"^\\u00e9$", r"\u00e9")]
)
def test_characters_may_be_written_by_number(pattern: str, text: str):
    assert messages({"pattern": pattern}, text) == []


def test_a_bad_pattern_nobody_checked_is_an_error_and_no_match():
    with pytest.raises(ValueError, match="bad regex '\\('"):
        messages({"patternProperties": {"(": False}}, {"a": 1})


def test_the_library_itself_stays_as_it_is():
    jsonschema: Any = import_module("jsonschema")
    in_linear_time(jsonschema.Draft202012Validator)
    assert not jsonschema.Draft202012Validator({"pattern": "a(?=b)"}).is_valid("ac")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from([0.0, 1.0, 0.5, 1e16])
    | st.sampled_from(["", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)


@given(st.lists(JSON, max_size=8))
def test_unique_items_are_those_of_the_library(items: list[Any]):
    schema = {"uniqueItems": True}
    draft: Any = import_module("jsonschema").Draft202012Validator
    ours = in_linear_time(draft)(schema).is_valid(items)
    assert ours is draft(schema).is_valid(items)
