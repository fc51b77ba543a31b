"""A value's address, and the complaints about it."""

from typing import Any

import pytest

from vivavoce.model.case import Origin
from vivavoce.notation.place import Place, quoted

PLACE = Place(Origin("a.jsonl", 3))


class Lines:
    """A document in which the second step of every path is on line 9."""

    def line_of(self, path: tuple[str | int, ...]) -> int:
        return 9 if len(path) > 1 else 4


def test_a_problem_names_the_field_and_its_line():
    place = Place(Origin("a.yaml", 1), Lines()).at("turns", 0)
    assert str(place.problem("it is empty")).startswith("a.yaml:9: ")
    assert "turns[0]" in str(place.problem("it is empty"))
    assert str(PLACE.problem("no")).startswith("a.jsonl:3: no")


def test_an_unknown_field_has_a_hint():
    assert "did you mean 'input'?" in str(PLACE.unknown("inptu", ["input", "id"]))
    assert "known: id, input" in str(PLACE.unknown("zzz", ["input", "id"]))


def test_what_is_wanted_is_said_beside_what_was_found():
    assert 'runs: wanted a whole number, found "x"' in str(PLACE.at("runs").wanted("a whole number", "x"))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({}, "an empty object"),
        ({"a": 1}, "an object"),
        ([], "an empty list"),
        ([1], "a list"),
        ("1", '"1"'),
        (1, "1"),
        (None, "null"),
        (object, repr(object)),
    ],
)
def test_values_that_look_the_same_are_quoted_differently(value: Any, words: str):
    assert quoted(value) == words


def test_a_long_value_is_cut():
    assert quoted("x" * 500).endswith("…")
    assert len(quoted("x" * 500)) < 200
