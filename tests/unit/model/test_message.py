"""Messages, calls and replies: names with a namespace, content in parts, costs that add up."""

from typing import Any

import pytest

from vivavoce.model.message import (
    AgentReply,
    Interrupt,
    ToolCall,
    Usage,
    calls_with_results,
    text_of_content,
    words_of_content,
)

IMAGE = {"type": "image_url", "image_url": {"url": "data:,"}}


@pytest.mark.parametrize("name", ["setup", "shop__setup", "shop.setup", "a/b/setup"])
def test_a_namespace_does_not_hide_a_tool(name: str):
    assert ToolCall(name=name).is_named("setup")


@pytest.mark.parametrize(("name", "wanted"), [("resetup", "setup"), ("setup2", "setup"), ("setup", ""), ("x.", "x")])
def test_a_name_is_never_matched_in_part(name: str, wanted: str):
    assert not ToolCall(name=name).is_named(wanted)


def test_a_call_without_a_name_is_named_by_nothing_else():
    assert ToolCall(name="").is_named("")
    assert not ToolCall(name="").is_named("setup")


@pytest.mark.parametrize(
    "name",
    [
        "",
        " setup",
        "setup\n",
        '"setup"',
        "'setup'",
        "['setup']",
        '{"x": "setup"}',
        "setup()",
        "se\u200btup",
        "<setup>",
        "multi_tool_use.parallel",
    ],
)
def test_a_piece_of_json_or_code_is_no_name_of_a_tool(name: str):
    assert not ToolCall(name=name).has_a_name


@pytest.mark.parametrize("name", ["setup", "shop__setup", "a/b.setup", "Read a file's content", "mcp:x-1", "поиск"])
def test_names_that_tools_have(name: str):
    assert ToolCall(name=name).has_a_name


def test_the_words_of_content_in_parts():
    parts = [{"type": "text", "text": "one"}, IMAGE, {"type": "text", "text": "two"}]
    assert text_of_content(parts) == "one\ntwo"
    assert words_of_content(parts) == "one\n[image_url]\ntwo"
    assert text_of_content("plain") == words_of_content("plain") == "plain"


def test_usage_adds_up_and_an_unknown_cost_stays_unknown():
    assert Usage(1, 2).plus(Usage(10, 20)) == Usage(11, 22)
    assert Usage(1, 2).plus(Usage(10, 20)).cost is None
    assert Usage(1, 2, 0.5).plus(Usage(0, 0, 0.25)).cost == 0.75
    assert Usage(1, 2, 0.5).plus(None) == Usage(1, 2, 0.5)
    assert Usage(1, 2).plus(Usage(0, 0, 0.25)).cost == 0.25


def test_structured_data_is_the_output_even_when_it_is_null_or_empty():
    assert AgentReply(text="words").output == "words"
    assert AgentReply(text="words", data=None).output is None
    assert AgentReply(text="words", data={}).output == {}


@pytest.mark.parametrize(
    "said",
    [
        {"text": "x"},
        {"data": None},
        {"state": {}},
        {"calls": (ToolCall(name="x"),)},
        {"late_results": (ToolCall(name="x"),)},
        {"interrupts": (Interrupt(id="1"),)},
    ],
)
def test_whoever_says_or_does_anything_is_not_silent(said: dict[str, Any]):
    assert AgentReply().is_silent
    assert not AgentReply(**said).is_silent


def test_calls_become_one_message_that_makes_them_and_one_for_each_result():
    calls = [
        ToolCall(id="1", name="pay", args={"b": 1, "a": 2.0}, result={"ok": True}),
        ToolCall(id="2", name="ship", args="raw text", error="no stock"),
        ToolCall(id="3", name="wait"),
    ]
    made, *results = calls_with_results(calls, "One moment.")
    assert (made.role, made.content) == ("assistant", "One moment.")
    assert [call["function"]["arguments"] for call in made.tool_calls or ()] == ['{"a":2,"b":1}', "raw text", "{}"]
    assert [(r.role, r.tool_call_id, r.content) for r in results] == [
        ("tool", "1", '{"ok":true}'),
        ("tool", "2", "no stock"),
        ("tool", "3", ""),
    ]
