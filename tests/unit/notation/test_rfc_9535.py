"""JSON paths to the letter of the standard, with patterns in linear time."""

import pytest
from jsonpath import JSONPathError

from vivavoce.notation.rfc_9535 import Rfc9535

DATA = {"items": [{"name": "tea", "n": 1}, {"name": "green tea", "n": 2}, {"n": 3}]}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("$.items[?match(@.name, 'tea')].n", [1]),
        ("$.items[?search(@.name, 'tea')].n", [1, 2]),
        ("$.items[?search(@.n, '1')].n", []),
        ("$.items[?@.n > 1].n", [2, 3]),
    ],
)
def test_patterns_in_filters(path: str, found: list[int]):
    assert Rfc9535().findall(path, DATA) == found


@pytest.mark.parametrize("function", ["match", "search"])
def test_a_bad_pattern_is_an_error_and_not_an_empty_answer(function: str):
    with pytest.raises((ValueError, JSONPathError)):
        Rfc9535().compile(f"$.items[?{function}(@.name, '(')]")


def test_a_pattern_that_would_run_for_ever_elsewhere_ends_at_once():
    long = {"items": [{"name": "a" * 50_000 + "b"}]}
    assert Rfc9535().findall("$.items[?match(@.name, '(a|a)*c')]", long) == []


def test_a_number_of_arguments_that_is_wrong_is_an_error():
    with pytest.raises(JSONPathError):
        Rfc9535().compile("$.items[?match(@.name)]")
