"""How the fields of a file become those of a case: nothing forgets one."""

from typing import Any

import pytest

from vivavoce.model.case import Case, Origin
from vivavoce.sources.decoding.case_decoder import decode_case
from vivavoce.sources.decoding.case_encoder import encode_case
from vivavoce.sources.decoding.case_fields import CaseFields
from vivavoce.sources.decoding.case_parts import COPIED, PARTS


def test_every_declared_field_is_copied_or_mapped_once():
    mapped = [name for part in PARTS for name in part.fields]
    assert sorted([*COPIED, *mapped]) == sorted(CaseFields.__struct_fields__)


def test_every_attribute_of_a_case_comes_from_a_field():
    mapped = [name for part in PARTS for name in part.attributes]
    assert sorted([*COPIED, *mapped, "origin", "not_reached"]) == sorted(Case.__struct_fields__)


@pytest.mark.parametrize(
    "field",
    [
        {"skip": True},
        {"skip": "waits for the shop"},
        {"faults": ["model:429"]},
        {"mocks": [{"name": "refund", "answer": "done"}]},
        {"tools": [{"name": "ask", "answer": "yes"}]},
        {"hooks": [{"cmd": ["echo", "{}"]}]},
        {"checkpoints": [{"id": "paid", "assert": [{"type": "contains", "value": "paid"}]}]},
        {"timeout": "5s"},
        {"min_pass": 2, "runs": 3},
    ],
    ids=str,
)
def test_a_part_is_written_as_it_is_read(field: dict[str, Any]):
    case = decode_case({"id": "T", "input": "hi", **field}, Origin())
    written = encode_case(case)
    assert set(field) <= set(written)
    assert decode_case(written, Origin()) == case
    assert case != decode_case({"id": "T", "input": "hi"}, Origin())
