"""How the fields of a file become those of a case: nothing forgets one."""

from vivavoce.model.case import Case
from vivavoce.sources.decoding.case_fields import CaseFields
from vivavoce.sources.decoding.case_parts import COPIED, PARTS


def test_every_declared_field_is_copied_or_mapped_once():
    mapped = [name for part in PARTS for name in part.fields]
    assert sorted([*COPIED, *mapped]) == sorted(CaseFields.__struct_fields__)


def test_every_attribute_of_a_case_comes_from_a_field():
    mapped = [name for part in PARTS for name in part.attributes]
    assert sorted([*COPIED, *mapped, "origin", "not_reached"]) == sorted(Case.__struct_fields__)
