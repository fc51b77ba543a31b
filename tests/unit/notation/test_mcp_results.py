"""What a tool of an MCP server returned."""

from typing import Any

import pytest

from vivavoce.notation.mcp_results import text_of_result, value_of_result


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"type": "text", "text": "hello"}, "hello"),
        ({"type": "resource", "resource": {"uri": "a://b", "text": "hello"}}, "hello"),
        ({"type": "resource", "resource": {"uri": "a://b", "blob": "aGk="}}, "[resource]"),
        ({"type": "image", "data": "aGk=", "mimeType": "image/png"}, "[image]"),
        ({"text": "without a type"}, "without a type"),
        ("a string", ""),
    ],
)
def test_the_words_of_a_part(part: Any, words: str):
    assert text_of_result({"content": [part]}) == words


def test_a_structured_result_comes_before_its_text():
    assert value_of_result({"content": [{"type": "text", "text": "x"}], "structuredContent": {"n": 1}}) == {"n": 1}
    assert value_of_result({"content": [{"type": "text", "text": "5"}], "structuredContent": {"result": 5}}) == 5
    assert value_of_result({"content": [{"type": "text", "text": '{"n": 1}'}]}) == {"n": 1}
