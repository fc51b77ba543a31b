"""JSON in what is said and sent."""

from typing import Any

import pytest

from vivavoce.notation.json_text import call_arguments, find_json, json_or_text, mend_json, object_or_text


@pytest.mark.parametrize(
    ("given", "args"),
    [
        ('{"a": 1}', {"a": 1}),
        ({"a": 1}, {"a": 1}),
        ("", {}),
        ("  ", {}),
        ("null", {}),
        (None, {}),
        ('{"town": "Par', '{"town": "Par'),
        ("[1]", "[1]"),
        ([1], "[1]"),
        ('"text"', '"text"'),
    ],
)
def test_arguments_are_an_object_or_a_text(given: Any, args: Any) -> None:
    assert call_arguments(given) == args


def test_a_text_that_is_no_json_stays_what_it_is():
    assert (json_or_text("[1]"), json_or_text("[1"), json_or_text("[" * 100_000)) == ([1], "[1", "[" * 100_000)
    assert (object_or_text('{"a": 1}'), object_or_text("[1]"), object_or_text("{")) == ({"a": 1}, "[1]", "{")


def test_slips_of_a_model_are_mended():
    assert mend_json('so: {"passed": true, "why": "fine",') == {"passed": True, "why": "fine"}


def test_what_the_mender_gives_up_on_is_no_json():
    # Found by fuzzing: it asserts instead of raising.
    assert mend_json('{"a": 1, {"```json{```') is None
    assert find_json('{"a": 1, {"```json{```') is None


@pytest.mark.parametrize(
    "text",
    ['{"amount": 8, "amount": 2}', '{"a": {"b": 1, "b": 1}}', '{"a": [{"b": 1, "\\u0062": 2}]}', '{"": 1, "": 2}'],
)
def test_arguments_with_a_key_written_twice_stay_a_text(text: str):
    assert call_arguments(text) == text


def test_colons_in_values_make_no_arguments_unclear():
    assert call_arguments('{"at": "10:30:00", "in": {"x": 1}}') == {"at": "10:30:00", "in": {"x": 1}}
