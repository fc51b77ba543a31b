"""Pieces of cases that several imports write."""

import math
from typing import Any

import pytest

from vivavoce.imports.shapes import called, finite, judged, spoken, texts, with_choices


@pytest.mark.parametrize(
    ("value", "number"), [(1, 1.0), (0.5, 0.5), (True, None), ("1", None), (math.inf, None), (math.nan, None)]
)
def test_only_what_can_be_counted_with_is_a_number(value: Any, number: float | None):
    assert finite(value) == number


def test_what_the_user_says_is_a_text_messages_or_json():
    assert spoken("Hi") == {"input": "Hi"}
    assert spoken({"a": 1}) == {"input": '{"a":1}'}
    assert spoken([{"role": "developer", "content": "Be kind."}]) == {
        "messages": [{"role": "system", "content": "Be kind."}]
    }
    assert spoken([1, 2]) == {"input": "[1,2]"}


def test_arguments_are_wanted_only_where_there_are_some():
    assert called("pay", '{"n": 1}') == {"type": "tool_called", "name": "pay", "arguments": {"n": 1}}
    for nothing in (None, {}, "no JSON"):
        assert called("pay", nothing) == {"type": "tool_called", "name": "pay"}


def test_a_threshold_is_written_only_where_there_is_one():
    assert judged("polite") == {"type": "agent", "value": "polite"}
    assert judged("polite", 0.5)["threshold"] == 0.5


def test_choices_stand_below_the_question():
    assert with_choices("Which?", ["red", "seven"]) == "Which?\n\nA) red\nB) seven\n\nAnswer with the letter only."
    assert with_choices("Which?", []) == "Which?"
    assert texts(None) == []
