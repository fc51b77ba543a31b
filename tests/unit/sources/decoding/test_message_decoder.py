from typing import Any

import pytest

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.message import Message
from vivavoce.notation.place import Place
from vivavoce.sources.decoding.message_decoder import decode_input, decode_message

PLACE = Place(Origin("a.jsonl", 3))


def test_an_input_is_text_a_message_or_messages():
    assert decode_input("hi", PLACE) == (Message(role="user", content="hi"),)
    assert decode_input("", PLACE) == ()
    assert decode_input({"content": "hi", "name": "ann"}, PLACE) == (Message(role="user", content="hi", name="ann"),)
    both = [{"role": "system", "content": "be kind"}, {"content": "hi"}]
    assert [message.role for message in decode_input(both, PLACE)] == ["system", "user"]


def test_a_request_of_an_mcp_server_is_a_line():
    [message] = decode_input({"call": "add", "args": {"a": 1}}, PLACE)
    assert message.role == "user"
    assert "add" in str(message.content)


def test_an_assistant_that_only_calls_tools_says_nothing_and_its_arguments_are_text():
    call = {"id": "1", "function": {"name": "add", "arguments": {"b": 2, "a": 1}}}
    message = decode_message({"role": "assistant", "tool_calls": [call]}, PLACE)
    assert message.content == ""
    assert message.tool_calls == [
        {"type": "function", "id": "1", "function": {"name": "add", "arguments": '{"a":1,"b":2}'}}
    ]
    kept = decode_message({"role": "assistant", "tool_calls": [{"function": {"name": "x", "arguments": "{"}}]}, PLACE)
    assert kept.tool_calls is not None
    assert kept.tool_calls[0]["function"]["arguments"] == "{"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, "unsupported input type: 7"),
        ([{"content": "a"}, "b"], 'message at index 1: wanted an object, found "b"'),
        ({"role": "user"}, "a message needs 'content'"),
        ({"role": "usr", "content": "x"}, "role"),
        ({"cal": "add", "args": {}}, "unknown field 'cal'"),
        ({"role": "assistant", "tool_calls": [{"name": "add"}]}, "each of 'tool_calls' needs a 'function'"),
        ({"content": 7}, "content: wanted text or content parts, found 7"),
    ],
)
def test_what_is_no_message_is_told_with_its_place(value: Any, words: str):
    with pytest.raises(UsageError) as caught:
        decode_input(value, PLACE)
    assert words in str(caught.value)
    assert str(caught.value).startswith("a.jsonl:3: ")
