"""Texts made from patterns."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

from vivavoce.notation.pattern_samples import sample_of
from vivavoce.notation.patterns import search


@pytest.mark.parametrize(
    ("pattern", "sample"),
    [
        ("sorry", "sorry"),
        (r"\d+\.\d\d", "7.77"),
        ("(?i)sorry|cannot", "sorry"),
        ("/refund(ed)?/i", "refund"),
        ("[^a-z]{3}x", "777x"),
        (r"\bsk-\w+\b", "sk-7"),
        ("a(?:b|c)+?(?P<name>d){2,}", "abdd"),
        ("[[:digit:]]{2,3}", "77"),
        (r"[]a][\]b]", "ab"),
        (r"x\x41\x{42}", "xAB"),
        ("(?i:x).", "x7"),
        ("/usr", "/usr"),
    ],
)
def test_the_shortest_text_that_a_pattern_asks_for(pattern: str, sample: str):
    assert sample_of(pattern) == sample


@pytest.mark.parametrize("pattern", ["(", r"\pL\p{Greek}", "a{1000}{2}", "(" * 400 + "a" + ")" * 400, r"x$y", "/x/"])
def test_no_text_where_none_can_be_made(pattern: str):
    assert sample_of(pattern) is None


@settings(max_examples=at_most(300), deadline=None)
@given(st.text(alphabet=r"ab7.\dws|()[]^$*+?{}1,-:iP<> /", max_size=12))
def test_a_text_is_one_that_the_pattern_is_found_in(pattern: str):
    sample = sample_of(pattern)
    assert sample is None or search(pattern, sample) is not None
