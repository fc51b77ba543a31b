"""Pieces of cases that several imports write."""

import math
from typing import Any

import pytest

from vivavoce.imports.case_pieces import call_check, finite_number, judge_check, texts, user_input, with_choices


@pytest.mark.parametrize(
    ("value", "number"), [(1, 1.0), (0.5, 0.5), (True, None), ("1", None), (math.inf, None), (math.nan, None)]
)
def test_only_what_can_be_counted_with_is_a_number(value: Any, number: float | None):
    assert finite_number(value) == number


def test_what_the_user_says_is_a_text_messages_or_json():
    assert user_input("Hi") == {"input": "Hi"}
    assert user_input({"a": 1}) == {"input": '{"a":1}'}
    assert user_input([{"role": "developer", "content": "Be kind."}]) == {
        "messages": [{"role": "system", "content": "Be kind."}]
    }
    assert user_input([1, 2]) == {"input": "[1,2]"}


def test_arguments_are_wanted_only_where_there_are_some():
    assert call_check("pay", '{"n": 1}') == {"type": "tool_called", "name": "pay", "arguments": {"n": 1}}
    for nothing in (None, dict[str, Any](), "no JSON"):
        assert call_check("pay", nothing) == {"type": "tool_called", "name": "pay"}


def test_a_threshold_is_written_only_where_there_is_one():
    assert judge_check("polite") == {"type": "agent", "value": "polite"}
    assert judge_check("polite", 0.5)["threshold"] == 0.5


def test_choices_stand_below_the_question():
    assert with_choices("Which?", ["red", "seven"]) == "Which?\n\nA) red\nB) seven\n\nAnswer with the letter only."
    assert with_choices("Which?", []) == "Which?"
    assert texts(None) == []
