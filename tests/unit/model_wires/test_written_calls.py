"""Calls that stand in a model's words."""

import pytest

from vivavoce.model_wires.written_calls import calls_in_words, stops_at_calls


@pytest.mark.parametrize(
    ("text", "thought", "found"),
    [
        ("Hello.", "Let me see.", 0),
        ('{"name": "refund", "arguments": {}}', None, 1),
        ("Hello.", "<tool_call>refund</tool_call>", 1),
        ("[TOOL_CALLS] refund", "<tool_call>refund", 2),
        ("Hello.", '{"name": "refund", "arguments": {}}', 0),
    ],
)
def test_calls_in_words_are_found(text: str, thought: str | None, found: int):
    assert len(calls_in_words(text, thought)) == found


def test_a_call_in_the_words_is_doubt_of_the_tools_that_it_may_name():
    (piece,) = calls_in_words('Send {"name": "Bob", "input": 7}.', None)
    assert piece.tool == "Send name Bob input 7"


@pytest.mark.parametrize(
    ("request_", "found"),
    [
        ({}, 0),
        ({"stop": ["END", None]}, 0),
        ({"stop": "\nObservation:"}, 1),
        ({"stop_sequences": ["</invoke>"]}, 1),
        ({"generationConfig": {"stopSequences": ["</code>"]}}, 1),
    ],
)
def test_stop_words_tell_an_agent_that_reads_calls_out_of_words(request_: dict[str, object], found: int):
    assert len(stops_at_calls(request_)) == found
