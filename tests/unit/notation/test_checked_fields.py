"""Raw values → typed fields, with every mismatch reported."""

import pytest
from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.notation.checked_fields import checked, salvaged
from vivavoce.notation.place import Place


class Inner(Struct, frozen=True, forbid_unknown_fields=True):
    size: int = 0


class Outer(Struct, forbid_unknown_fields=True):
    name: str
    count: int = 1
    inner: Inner = Inner()
    items: list[Inner] = []


PLACE = Place(Origin("a.jsonl", 3))


def test_a_value_that_fits_is_typed():
    assert checked({"name": "x", "inner": {"size": 2}}, Outer, PLACE) == Outer("x", inner=Inner(2))


def test_every_field_that_does_not_fit_is_named():
    with pytest.raises(UsageError) as refused:
        checked({"nme": "x", "count": "two", "inner": {"sze": 1}}, Outer, PLACE)
    said = str(refused.value)
    assert "unknown field 'nme' (did you mean 'name'?)" in said
    assert 'count: wanted a whole number, found "two"' in said
    assert "'sze' (did you mean 'size'?)" in said
    assert "'name'" in said
    assert "a.jsonl:3" in said


def test_the_sound_rest_is_salvaged():
    rest, problems = salvaged({"name": "x", "count": "two", "items": [{"size": "big"}]}, Outer, PLACE)
    assert rest == Outer("x", items=[Inner()])
    assert len(problems) == 2


def test_nothing_is_left_where_a_needed_field_is_wrong():
    rest, problems = salvaged({"name": 3}, Outer, PLACE)
    assert rest is None
    assert len(problems) == 1, "the field that was taken out is not reported as missing, too"
    assert salvaged(["no object"], Outer, PLACE)[0] is None


def test_what_only_msgspec_objects_to_is_reported_too():
    with pytest.raises(UsageError, match="count"):
        checked({"name": "x", "count": 2.5}, Outer, PLACE)
