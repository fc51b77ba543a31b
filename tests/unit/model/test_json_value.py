"""JSON values: equality, text and type names, whatever Python thinks of them."""

from typing import Any

import pytest

from vivavoce.model.json_value import (
    compact_json,
    is_array,
    is_number,
    is_object,
    iter_leaves,
    iter_texts,
    json_equal,
    json_type,
    map_texts,
    text_of,
)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1.0}),
        ([1, (2, 3)], (1, [2, 3])),
        (None, None),
        ("x", "x"),
    ],
)
def test_equal_values(left: Any, right: Any):
    assert json_equal(left, right)
    assert json_equal(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (0, False),
        (0, None),
        ("1", 1),
        ("", None),
        ({"a": None}, {}),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ({"a": [True]}, {"a": [1]}),
    ],
)
def test_different_values(left: Any, right: Any):
    assert not json_equal(left, right)
    assert not json_equal(right, left)


def test_the_text_that_assertions_search_is_compact_sorted_and_has_whole_numbers():
    assert compact_json({"b": 1.0, "a": [2.5, "é", True, None]}) == '{"a":[2.5,"é",true,null],"b":1}'
    assert compact_json(1e300) == "1e300"


@pytest.mark.parametrize(
    ("value", "text"), [("as it is", "as it is"), (None, ""), (0, "0"), (False, "false"), ([], "[]")]
)
def test_a_value_as_text(value: Any, text: str):
    assert text_of(value) == text


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "boolean"),
        (1, "number"),
        (1.5, "number"),
        ("", "string"),
        ([], "array"),
        ((), "array"),
        ({}, "object"),
        (b"", "bytes"),
    ],
)
def test_the_name_of_a_type(value: Any, name: str):
    assert json_type(value) == name


def test_what_counts_as_which():
    assert is_number(1.5)
    assert not is_number(True)
    assert is_array((1,))
    assert not is_array("text")
    assert is_object({})
    assert not is_object([])


VALUE = {"a": "x", "b": [1, "y", {"c": "z", "d": None}], "e": True}


def test_every_text_is_changed_and_nothing_else():
    assert map_texts(VALUE, str.upper) == {"a": "X", "b": [1, "Y", {"c": "Z", "d": None}], "e": True}


def test_texts_come_in_order_and_keys_are_not_among_them():
    assert list(iter_texts(VALUE)) == ["x", "y", "z"]


def test_leaves_are_everything_that_holds_nothing():
    assert list(iter_leaves(VALUE)) == ["x", 1, "y", "z", None, True]
