"""Data is found however it is written into a text."""

import pytest

from vivavoce.model.json_value import JsonValue
from vivavoce.notation.data_in_text import data_in_text
from vivavoce.notation.hidden_calls import calls_in_text

CALL = '{"name": "refund", "arguments": {"id": 7}}'
DATA = {"name": "refund", "arguments": {"id": 7}}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (CALL, [DATA]),
        (f"[{CALL}]", [[DATA]]),
        ('"' + CALL.replace('"', '\\"') + '"', [DATA]),
        (f"I see {CALL} and {CALL}.", [DATA, DATA]),
        (f"I see [{CALL}].", [[DATA]]),
        (f"I see [[{CALL}]].", [[DATA]]),
        (f"I see [1, [2], [{CALL}]].", [[DATA]]),
        ("I see " + CALL.replace('"', '\\"'), [DATA]),
        (f"I see {DATA} and more", [DATA, {"id": 7}]),
        ('{"a": 1, "a": {"b": 2}}', [{"a": [1, {"b": 2}]}]),
        ("I see [1, 2] and [[3], [4]].", []),
        ("I see {nothing} [at all", []),
        ("17", []),
    ],
)
def test_every_object_is_found(text: str, found: list[JsonValue]):
    assert list(data_in_text(text)) == found


def test_a_call_in_a_list_of_lists_inside_prose_is_seen():
    assert calls_in_text(f"The steps were [[{CALL}, 1]].")
