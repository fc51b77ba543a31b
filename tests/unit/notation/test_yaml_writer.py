from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.model.json_value import json_equal
from vivavoce.notation.yaml_reader import read_yaml_documents
from vivavoce.notation.yaml_writer import with_sorted_keys, yaml_text

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


def read_back(text: str) -> Any:
    [document] = read_yaml_documents(text, "x.yaml")
    return document.value


@given(VALUES)
def test_what_is_written_is_read_back_and_written_the_same_again(value: Any):
    written = yaml_text({"case": value})
    assert json_equal(read_back(written), {"case": value})
    assert yaml_text(read_back(written)) == written


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1e3",
            "0o17",
            "yes",
            "no",
            "null",
            "~",
            "12:30",
            "010",
            "1_000",
            "<<",
            "=",
            "- x",
            "a: b",
            "#x",
            " x ",
            "\tx",
        ),
        *(
            "true",
            ".inf",
            "2026-11-16",
            "x\n",
            "\nx",
            " a\n  b",
            "a \nb",
            "a\r\nb",
            "a\x85b",
            "a\u2028b",
            "\x00",
            "é😀",
        ),
    ],
)
def test_a_text_stays_a_text_whatever_it_looks_like(text: str):
    assert read_back(yaml_text({"a": text, "b": [text], text: 1})) == {"a": text, "b": [text], text: 1}


def test_lines_read_as_they_were_said_and_are_never_folded():
    long = "word " * 100 + "end"
    assert yaml_text({"a": "one\ntwo", "b": long}) == f"a: |-\n  one\n  two\nb: {long}\n"


def test_half_a_surrogate_pair_is_written_as_its_escape():
    assert yaml_text({"a": "x\ud83d"}) == "a: x\\ud83d\n"


def test_keys_keep_their_order_unless_they_are_sorted():
    value = {"b": 1, "a": {"d": [{"y": 1, "x": 2}], "c": 2}}
    assert yaml_text(value).startswith("b: 1\na:\n  d:\n")
    assert list(with_sorted_keys(value)["a"]["d"][0]) == ["x", "y"]
    assert list(with_sorted_keys(value)) == ["a", "b"]
