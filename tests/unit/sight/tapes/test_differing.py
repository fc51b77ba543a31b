"""The first difference of two values, in words."""

import pytest

from vivavoce.sight.tapes.differing import first_difference


@pytest.mark.parametrize(
    ("was", "now", "told"),
    [
        ("a", "b", 'recorded "a", now "b"'),
        ([{"content": "shop"}], [{"content": "bank"}], '[0].content: recorded "shop", now "bank"'),
        ({"a": 1}, {"a": 1, "b": 2}, "b: recorded nothing, now 2"),
        ([1], [1, 2], "[1]: recorded nothing, now 2"),
        (None, {"t": 1}, 'recorded nothing, now {"t":1}'),
        ("x" * 50 + "old", "x" * 50 + "new", f'recorded "…{"x" * 20}old", now "…{"x" * 20}new"'),
    ],
)
def test_the_place_and_both_values_are_named(was: object, now: object, told: str):
    assert first_difference(was, now) == told
