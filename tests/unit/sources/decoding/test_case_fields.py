"""The one declaration of every field of a case: explained, in the docs, and strict."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from vivavoce.sources.decoding.case_fields import CaseFields
from vivavoce.sources.schema import case_schema

DOCS = Path(__file__).parents[4] / "docs" / "cases.md"


def test_every_field_says_what_it_means():
    silent = [
        f"{owner}.{name}"
        for owner, table in case_schema()["$defs"].items()
        if owner.endswith("Fields")
        for name, field in table["properties"].items()
        if not field.get("description") and "$ref" not in field
    ]
    assert silent == []


def test_the_docs_list_every_field():
    rows = re.findall(r"^\| (`.*?) \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)}
    assert listed == set(CaseFields.__struct_encode_fields__)


@pytest.mark.parametrize(
    "written",
    [
        {"id": "a", "input": "hi", "assert": {"type": "contains", "value": "x"}},
        {"id": "a", "turns": [{"input": "hi", "options": {"mode": "m"}}], "timeout": "30s", "min_score": 0.5},
        {"checkpoints": [{"id": "c", "assertion": "x", "after": ["d"], "required": False}], "priority": 0},
    ],
)
def test_a_case_encoded_again_has_the_keys_its_author_wrote(written: dict[str, Any]):
    """json_places.may_repeat_a_key finds a key that is written twice by comparing the two."""
    assert msgspec.to_builtins(msgspec.convert(written, CaseFields)) == written


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ({"inputt": "hi"}, "inputt"),
        ({"turns": [{"inputt": "hi"}]}, "inputt"),
        ({"runs": 0}, "runs"),
        ({"priority": 4}, "priority"),
        ({"min_score": 0}, "min_score"),
        ({"min_score": 1.1}, "min_score"),
        ({"max_turns": -1}, "max_turns"),
        ({"id": ""}, "id"),
        ({"simulator": {}}, "use"),
        ({"each": {"file": "t.csv", "delimiter": "::"}}, "delimiter"),
        ({"mutants": {"allow": ["no-such-kind"]}}, "allow"),
        ({"type": "two_turns"}, "type"),
    ],
)
def test_wrong_fields_are_refused_by_their_types(written: dict[str, Any], wrong: str):
    with pytest.raises(msgspec.ValidationError, match=wrong):
        msgspec.convert(written, CaseFields)
