"""Expressions of -k and -m."""

import pytest

from vivavoce.notation.expressions import parse_expression


@pytest.mark.parametrize(
    ("text", "true_words", "holds"),
    [
        ("a", "a", True),
        ("not a", "a", False),
        ("a and b", "a", False),
        ("a or b", "b", True),
        ("a or b and c", "a", True),
        ("(a or b) and c", "a", False),
        ("not (a or b)", "", True),
        ("not not a", "a", True),
        ("a AND NOT b", "a", True),
        ("needs-tools and path/x.jsonl::T1[2]", "needs-tools path/x.jsonl::T1[2]", True),
    ],
)
def test_an_expression_holds_when_its_words_do(text: str, true_words: str, holds: bool):
    assert parse_expression(text)(lambda word: word in true_words.split()) is holds


@pytest.mark.parametrize("text", ["", "a b", "and a", "a and", "(a", "a)", "not", "^a$", "a|b", "a and (b or)", "a*"])
def test_what_is_no_expression_is_refused(text: str):
    with pytest.raises(ValueError, match="bad expression"):
        parse_expression(text)
