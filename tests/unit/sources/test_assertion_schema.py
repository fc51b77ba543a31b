"""The schema of assertions: made from the classes, under every spelling an author may use."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator
from tests.fakes.assertion_table import smallest_fields

from vivavoce.plugins.catalog import ASSERTIONS
from vivavoce.sources.assertion_schema import assertion_definitions
from vivavoce.sources.decoding.assertion_decoder import OTHER_SPELLINGS

NAMES = sorted(ASSERTIONS)
"""Taken now: other tests add plug-ins."""
DEFINITIONS = assertion_definitions()
VALID = Draft202012Validator({"$defs": DEFINITIONS, "$ref": "#/$defs/Assertions"})
BY_NAME = {one["title"]: one for one in DEFINITIONS["Assertion"]["anyOf"]}


def test_every_assertion_has_one_entry_that_explains_itself():
    assert sorted(BY_NAME) == NAMES
    assert [name for name, schema in BY_NAME.items() if not schema["description"]] == []


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_what_every_check_may_say_is_allowed_and_what_nobody_knows_is_not(name: str):
    smallest = {"type": name, **smallest_fields(name)}
    assert VALID.is_valid({**smallest, "message": "why", "weight": 2})
    assert not VALID.is_valid({**smallest, "weight": -1})
    assert not VALID.is_valid({**smallest, "no_such_field": 1})


@pytest.mark.parametrize(("name", "other"), [(name, other) for name, also in OTHER_SPELLINGS.items() for other in also])
def test_another_spelling_has_the_schema_of_the_field(name: str, other: str):
    fields = BY_NAME[name]["properties"]
    assert fields[other] == fields[OTHER_SPELLINGS[name][other]]


@pytest.mark.parametrize(
    ("written", "is_valid"),
    [
        ({"type": "contains", "value": "x"}, True),
        ([{"type": "contains", "value": "x"}, {"text": {"must_match": "x"}}], True),
        ({"text": {"must_match": ["x", "y"]}}, True),
        ({"text": {"must_match": []}}, False),
        ({"text": {"must_matc": "x"}}, False),
        ({"texts": {"must_match": "x"}}, False),
        ({"type": "contains"}, False),
        ({"type": "no_such_type", "value": "x"}, False),
        ({"tools": {"forbid": ["refund"]}}, True),
        ({"tools": {"forbid": 5}}, False),
        ("contains x", False),
    ],
)
def test_single_checks_lists_and_blocks(written: Any, is_valid: bool):
    assert VALID.is_valid(written) is is_valid
