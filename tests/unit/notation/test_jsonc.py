"""Commented JSON: comments go, strings stay, and errors name their line."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.errors import UsageError
from vivavoce.notation.jsonc import read_jsonc, strip_comments


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1} // the end', {"a": 1}),
        ('{/* one\n two */"a": 1,}', {"a": 1}),
        ("[1, 2, // last\n]", [1, 2]),
        ('["// no comment", "/* nor this */", "a,]"]', ["// no comment", "/* nor this */", "a,]"]),
        ('["quote \\" // still text"]', ['quote " // still text']),
        ('\ufeff{"a": "é"}', {"a": "é"}),
        ("[1 /**/ , /* x */ // y\n ]", [1]),
    ],
)
def test_it_is_read(text: str, value: object):
    assert read_jsonc(text, "x.yao") == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n "a": oops\n}', "x.yao:2: bad JSON"),
        ("[1,, 2]", "x.yao:1: bad JSON"),
        ("/* never closed", "x.yao:1: bad JSON"),
        ("{\n\n 'a': 1}", "x.yao:3: bad JSON"),
        ("[NaN]", "NaN is no JSON value"),
        ("[1,\n 1e999]", "x.yao:2: bad JSON: a number too large to be read"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_an_error_names_the_place(text: str, said: str):
    with pytest.raises(UsageError, match=re.escape(said)):
        read_jsonc(text, "x.yao")


@given(st.text(alphabet='{}[]",/*\\\n ab1:'))
def test_stripping_moves_nothing(text: str):
    plain = strip_comments(text)
    assert len(plain) == len(text)
    assert [i for i, c in enumerate(plain) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
