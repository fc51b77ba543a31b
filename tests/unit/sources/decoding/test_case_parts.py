"""One declaration of every field of a case: nothing forgets one."""

import re
from pathlib import Path

from vivavoce.model.case import Case
from vivavoce.sources.decoding.case_fields import CaseFields
from vivavoce.sources.decoding.case_parts import COPIED, PARTS
from vivavoce.sources.schema import case_schema

DOCS = Path(__file__).parents[4] / "docs" / "cases.md"


def test_every_declared_field_is_copied_or_mapped_once():
    mapped = [name for part in PARTS for name in part.fields]
    assert sorted([*COPIED, *mapped]) == sorted(CaseFields.__struct_fields__)


def test_every_attribute_of_a_case_comes_from_a_field():
    mapped = [name for part in PARTS for name in part.attributes]
    assert sorted([*COPIED, *mapped, "origin", "not_reached"]) == sorted(Case.__struct_fields__)


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
