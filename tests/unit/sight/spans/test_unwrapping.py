"""Arguments and results as instrumentations wrap them."""

import json
from typing import Any

import pytest

from vivavoce.sight.spans.unwrapping import arguments, first_of, result

CONTENT = '{"status": "done"}'


@pytest.mark.parametrize(
    ("raw", "value", "call_id"),
    [
        ('{"order": 1}', {"order": 1}, None),
        ("plain", "plain", None),
        ({"input_str": "{'order': 1}", "inputs": {"order": 1}, "kwargs": {"tool_call_id": "c1"}}, {"order": 1}, "c1"),
        ({"args": [], "kwargs": {"order": 1}, "sanitize_inputs_outputs": True}, {"order": 1}, None),
        ({"args": ["A-17"], "kwargs": {}, "sanitize_inputs_outputs": True}, {"args": ["A-17"]}, None),
        (None, None, None),
    ],
)
def test_arguments_are_unwrapped(raw: Any, value: Any, call_id: str | None):
    found = arguments(raw)
    assert (found.value, found.call_id) == (value, call_id)


@pytest.mark.parametrize(
    "raw",
    [
        CONTENT,
        {"output": CONTENT},
        json.dumps({"output": {"lc": 1, "kwargs": {"type": "tool", "content": CONTENT, "tool_call_id": "c1"}}}),
        {"type": "tool", "data": {"type": "tool", "content": CONTENT, "tool_call_id": "c1"}},
        [{"text": '{"status":'}, {"text": ' "done"}'}],
    ],
)
def test_results_are_unwrapped(raw: Any):
    assert result(raw).value == {"status": "done"}


def test_a_langchain_message_names_its_call():
    assert result({"type": "tool", "content": "ok", "tool_call_id": "c1"}).call_id == "c1"


def test_the_first_attribute_that_is_there_counts_even_when_it_is_null():
    assert first_of({"b": None, "c": 1}, ("a", "b", "c")) is None
    assert first_of({"c": 1}, ("a", "c")) == 1
