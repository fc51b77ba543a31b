"""Finding words in the rows of a run."""

import msgspec
import pytest

from vivavoce.viewer.search import positions_with

ROWS = [
    msgspec.json.encode({"id": "a", "name": "Refund paid", "output": "30 EUR"}),
    msgspec.json.encode({"id": "b", "turns": [{"input": "refund?", "output": "no"}]}),
    msgspec.json.encode({"id": "c", "output": {"total": 30}}),
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("REFUND", [0, 1]),
        ("refund 30", [0]),
        ("30", [0, 2]),
        ("output", []),
        ("refund -paid", [1]),
        ("-refund", [2]),
        ("-", []),
    ],
)
def test_every_word_must_be_there_and_none_after_a_minus_sign(query: str, found: list[int]):
    assert positions_with(query, ROWS) == found


def test_it_ends_when_nobody_wants_to_know_any_more():
    assert positions_with("refund", ROWS, unwanted=lambda: True) == []
