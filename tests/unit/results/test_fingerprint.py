"""The fingerprint of a case: what changes it and what does not."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from msgspec import Struct, structs
from tests.fakes import results
from tests.fakes.any_struct import any_struct
from tests.fakes.random_values import at_most

from vivavoce.model.case import CallOptions, Case, ConversationRules, Origin, ScriptedTurn
from vivavoce.results.encoding import encoded
from vivavoce.results.fingerprint import _MAY_BE_DEFAULT as MAY_BE_DEFAULT
from vivavoce.results.fingerprint import _said as said_slowly
from vivavoce.results.fingerprint import _said_at_once as said_at_once
from vivavoce.results.fingerprint import fingerprint

CASE = results.plain().case
NOWHERE = Case(id="").origin
SINGLE = (None, False, True, (), "", msgspec.NODEFAULT, msgspec.UNSET)
"""Values that Python has once."""


def types_in(annotation: Any) -> Iterator[Any]:
    yield annotation
    for inner in get_args(annotation):
        yield from types_in(inner)


def reached_from(kind: type[Struct]) -> set[type[Struct]]:
    """The struct and all that its fields may hold."""
    found, waiting = set[type[Struct]](), [kind]
    while waiting:
        if (one := waiting.pop()) not in found:
            found.add(one)
            inner = [t for field in structs.fields(one) for t in types_in(field.type)]
            waiting += [t for t in inner if isinstance(t, type) and issubclass(t, Struct)]
    return found


def holds_a_float(annotation: Any) -> bool:
    return annotation is float or float in get_args(annotation)


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


@pytest.mark.parametrize("seed", range(at_most(30)))
def test_a_case_that_went_through_a_file_keeps_its_fingerprint(seed: int):
    case: Case = any_struct(Case, Random(seed))
    assert fingerprint(msgspec.json.decode(encoded(case), type=Case)) == fingerprint(case)


def said(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted") if isinstance(value, Struct | dict) else repr(value).encode()


@pytest.mark.parametrize("seed", range(40))
def test_the_quick_way_gives_what_the_slow_one_gives_or_nothing(seed: int):
    rng = Random(seed)
    whole: Case = any_struct(Case, rng)
    few = rng.sample([name for name in Case.__struct_fields__ if name not in ("id", "origin")], 3)
    for case in (structs.replace(whole, origin=NOWHERE), Case(id="A", **{n: getattr(whole, n) for n in few})):
        assert said_at_once(case) in (None, said_slowly(case))


def test_most_cases_go_the_quick_way():
    assert said_at_once(Case(id="A", turns=(ScriptedTurn(content="hi"),))) is not None


def test_half_a_surrogate_pair_has_a_fingerprint_too():
    assert fingerprint(structs.replace(CASE, name="\ud83d")) != fingerprint(CASE)


@pytest.mark.parametrize("kind", sorted(reached_from(Case), key=lambda kind: kind.__name__))
def test_every_field_whose_default_may_be_written_is_known(kind: type[Struct]):
    """The encoder leaves a default out when it is the very same object: equal numbers and structs often are not."""
    for field in structs.fields(kind):
        always_the_same = any(field.default is one for one in SINGLE) or type(field.default) is int
        if isinstance(field.default, Struct):
            assert re.search(MAY_BE_DEFAULT, f'"{field.encode_name}":{{}}'.encode()), field.name
        elif not always_the_same or holds_a_float(field.type):
            assert re.search(MAY_BE_DEFAULT, f'"{field.encode_name}":'.encode()), field.name
        assert field.name == field.encode_name
    assert kind.__struct_config__.omit_defaults
