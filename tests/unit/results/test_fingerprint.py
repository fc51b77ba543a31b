"""The fingerprint of a case: what changes it and what does not."""

from random import Random

import msgspec
import pytest
from msgspec import Struct, structs
from tests.fakes import results
from tests.fakes.any_struct import any_struct

from vivavoce.model.case import CallOptions, Case, ConversationRules, Origin, ScriptedTurn
from vivavoce.results.encoding import encoded
from vivavoce.results.fingerprint import fingerprint

CASE = results.plain().case


def test_the_fingerprint_is_the_same_in_every_version():
    """A new field with its default must not change it: then every result file written before would be stale."""
    assert fingerprint(CASE).hex() == "968bd60bcff4e1f72cd6ecdc06fcad9c"


def test_the_same_words_at_another_place_have_the_same_fingerprint():
    turn = ScriptedTurn(content="hi", line=3)
    case = Case(id="T1", origin=Origin("a.yaml", 2), turns=(turn,), metadata={"n": 1})
    lower = structs.replace(case, origin=Origin("a.yaml", 9), turns=(structs.replace(turn, line=10),))
    assert fingerprint(case) == fingerprint(lower)


def test_a_default_counts_the_same_whether_it_was_written_or_not():
    written = structs.replace(CASE, options=CallOptions(), rules=ConversationRules(), metadata={})
    assert fingerprint(written) == fingerprint(CASE)


def test_the_order_of_keys_does_not_count():
    one = structs.replace(CASE, assertions=(results.spec("json_path", path="$.a", value=1),))
    two = structs.replace(CASE, assertions=(results.spec("json_path", value=1, path="$.a"),))
    assert fingerprint(one) == fingerprint(two)


@pytest.mark.parametrize("field", [name for name in Case.__struct_fields__ if name != "origin"])
def test_every_field_counts(field: str):
    rng = Random(field)
    values = (getattr(any_struct(Case, rng), field) for _ in range(1000))
    other = next(value for value in values if said(value) != said(getattr(CASE, field)))
    assert fingerprint(structs.replace(CASE, **{field: other})) != fingerprint(CASE)


@pytest.mark.parametrize("seed", range(30))
def test_a_case_that_went_through_a_file_keeps_its_fingerprint(seed: int):
    case: Case = any_struct(Case, Random(seed))
    assert fingerprint(msgspec.json.decode(encoded(case), type=Case)) == fingerprint(case)


def said(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted") if isinstance(value, Struct | dict) else repr(value).encode()
