"""What a JSON Schema objects to in a value, all at once and in plain words."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from vivavoce.model.case import Origin
from vivavoce.notation.place import Place
from vivavoce.notation.schema_problems import schema_problems


class Inner(Struct, frozen=True, forbid_unknown_fields=True):
    size: Annotated[int, Meta(ge=1, le=9)]


class Wide(Struct, frozen=True, forbid_unknown_fields=True):
    url: str
    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0
    e: int = 0
    f: int = 0
    g: int = 0


class Fields(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, examples=["shop"])] = "x"
    mode: Literal["fast", "slow"] = "fast"
    share: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    tags: Annotated[list[str], Meta(max_length=2)] = []
    one: Inner | str | None = None
    inner: Inner = Inner(size=1)
    limit: int | float = 0
    wide: Wide = Wide(url="x")
    perhaps: Wide | None = None


PLACE = Place(Origin("a.jsonl", 3))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"mode": "fats"}, "mode: wanted fast or slow, found \"fats\" (did you mean 'fast'?)"),
        ({"name": ""}, 'name: wanted text that is not empty, found "" (write it like "shop")'),
        ({"share": 1.5}, "share: wanted a number above 0 and below 1, found 1.5"),
        ({"tags": ["a", "b", "c"]}, "tags: wanted a list with at most 2 entries, found a list"),
        ({"one": {"size": 12}}, "one.size: wanted a whole number from 1 to 9, found 12"),
        ({"one": {}}, "one: 'size' is missing"),
        ({"limit": "ten"}, 'limit: wanted a number, found "ten"'),
        ({"one": 3}, "one: wanted text or an object, found 3 (its fields: size)"),
        ({"inner": 3}, "inner: wanted an object, found 3 (its fields: size)"),
        ({"wide": "http://x"}, 'wide: wanted an object, found "http://x" (write {url: …})'),
        ({"perhaps": "http://x"}, 'perhaps: wanted an object, found "http://x" (write {url: …})'),
        ({"nme": "x"}, "unknown field 'nme' (did you mean 'name'?)"),
    ],
)
def test_each_rule_is_said_in_plain_words(value: dict[str, Any], said: str):
    (problem,) = schema_problems(value, Fields, PLACE)
    assert str(problem) == f"a.jsonl:3: {said}"


def test_all_problems_come_at_once():
    assert len(schema_problems({"name": "", "mode": 3, "share": 0, "x": 1}, Fields, PLACE)) == 4
    assert schema_problems({"name": "x"}, Fields, PLACE) == []
