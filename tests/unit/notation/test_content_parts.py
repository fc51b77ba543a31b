"""The content of a message, whichever library wrote its parts."""

from typing import Any

import pytest
from msgspec import UNSET

from vivavoce.notation.content_parts import id_of, is_content, read_parts, result_of


def test_text_and_parts_of_text_are_the_words():
    assert read_parts("hi").words == "hi"
    assert read_parts(None).words == ""
    parts = [{"type": "text", "text": "a"}, "b", {"type": "output_text", "text": "c"}, {"text": "d"}]
    assert read_parts(parts).words == "a\nb\nc\nd"


@pytest.mark.parametrize(
    "part",
    [
        {"type": "tool_use", "id": "c1", "name": "pay", "input": {}},
        {"type": "function_call", "call_id": "c1", "name": "pay"},
        {"type": "tool-call", "toolCallId": "c1", "toolName": "pay"},
    ],
)
def test_a_call_of_each_library_is_a_call(part: dict[str, Any]):
    read = read_parts([part])
    assert read.calls == (part,)
    assert not read.unread
    assert id_of(part) == "c1"


def test_an_untyped_part_is_known_by_its_key():
    assert read_parts([{"functionCall": {"name": "pay"}}]).calls == ({"name": "pay"},)
    (result,) = read_parts([{"functionResponse": {"name": "pay", "response": {"ok": True}}}]).results
    assert (result.name, result.value) == ("pay", {"ok": True})


def test_a_result_is_its_value_or_its_error():
    worked = result_of({"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "done"}]})
    assert (worked.call_id, worked.value, worked.error) == ("c1", "done", None)
    failed = result_of({"type": "tool_result", "tool_use_id": "c1", "content": "no money", "is_error": True})
    assert (failed.value, failed.error) == (UNSET, "no money")
    assert result_of({"error": "gone"}).error == "gone"


@pytest.mark.parametrize(
    ("part", "may_be"),
    [
        ({"type": "surprise", "name": "pay"}, "both"),
        ({"type": 3}, "both"),
        (17, "both"),
        ({"type": "thinking", "tool_calls": [{"name": "pay"}]}, "call"),
        ({"type": "text", "text": "hi", "tool_calls": [{"name": "pay"}]}, "call"),
    ],
)
def test_what_may_hide_a_call_is_unread(part: Any, may_be: str):
    (missed,) = read_parts([part]).unread
    assert missed.may_hold == may_be


def test_thoughts_and_pictures_are_neither_words_nor_unread():
    read = read_parts(
        [{"type": "thinking", "thinking": "hm"}, {"type": "image", "source": {}}, {"text": "x", "thought": True}]
    )
    assert (read.words.strip(), read.unread) == ("", ())


def test_structured_data_is_no_content():
    assert is_content("x")
    assert is_content([{"type": "text", "text": "x"}])
    assert not is_content({"amount": 3})
    assert not is_content([1, 2])
    assert read_parts({"amount": 3}).unread
