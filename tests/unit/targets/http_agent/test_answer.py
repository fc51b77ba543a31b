"""Answers of HTTP agents: what must not get lost."""

import pytest

from vivavoce.targets.http_agent.answer import Answer, paths_of
from vivavoce.targets.http_agent.kind import CallPaths, HttpCall


def test_one_id_with_two_names_is_two_calls():
    answer = Answer(paths_of(HttpCall(url="http://x", reply="$.answer", tool_calls="$.steps")))
    answer.add({"answer": "ok", "steps": [{"id": "x", "name": "delete_order"}, {"id": "x", "name": "search"}]})
    assert [call.name for call in answer.reply("hi").calls] == ["delete_order", "search"]


def test_without_a_path_of_the_reply_what_was_not_read_is_kept():
    answer = Answer(paths_of(HttpCall(url="http://x", tool_calls="$.steps")))
    answer.add({"content": "ok", "steps": [{"tool": "search", "name": "delete_order", "args": {}}]})
    assert answer.reply("hi").unread


@pytest.mark.parametrize(
    "beside",
    [
        {"tools_used": ["delete_order"]},
        {"executed": ["delete_order"]},
        {"actions": ["delete_order"]},
        {"debug": {"toolsUsed": [{"id": "delete_order"}]}},
        {"meta": {"actions": [{"kind": "delete_order"}]}},
    ],
)
def test_what_names_tools_beside_the_named_path_is_unread(beside):
    answer = Answer(paths_of(HttpCall(url="http://x", reply="$.answer", tool_calls="$.called")))
    answer.add({"answer": "ok", "called": [], **beside})
    assert [piece.may_hold for piece in answer.reply("hi").unread] == ["call"]
    (key,) = beside
    waved = Answer(paths_of(HttpCall(url="http://x", reply="$.answer", tool_calls="$.called", ignore=[f"$.{key}"])))
    waved.add({"answer": "ok", "called": [], **beside})
    assert waved.reply("hi").unread == ()


def test_a_call_inside_a_call_is_unread_also_where_paths_lead_to_its_parts():
    parts = CallPaths(path="$.steps", name="$.verb", args="$.with")
    answer = Answer(paths_of(HttpCall(url="http://x", reply="$.answer", tool_calls=parts)))
    inner = {"tool": "delete_order", "input": {}}
    answer.add({"answer": "ok", "steps": [{"verb": "look", "with": {"a": 1}, "then": [inner]}]})
    reply = answer.reply("hi")
    assert ([call.name for call in reply.calls], [piece.may_hold for piece in reply.unread]) == (["look"], ["call"])


def test_a_name_in_two_calls_of_a_stream_may_be_that_of_one_tool():
    answer = Answer(paths_of(HttpCall(url="http://desk/", reply="$.t", tool_calls="$.calls")), streamed=True)
    for name in ("delete_", "order"):
        answer.add({"t": "x", "calls": [{"name": name}]})
    assert [piece.tool for piece in answer.reply("hi").unread] == ["delete_order"]


def test_words_of_a_stream_that_only_an_earlier_piece_of_data_had_are_unread():
    answer = Answer(paths_of(HttpCall(url="http://desk/", reply="$.t")), streamed=True)
    for told in ({"a": "Say "}, {"a": 'Say "hi"\n'}, "by the way", {"a": 'Say "hi"\nGrüße', "b": 1}):
        answer.add({"t": told})
    reply = answer.reply("hi")
    assert (reply.data, [piece.piece for piece in reply.unread]) == ({"a": 'Say "hi"\nGrüße', "b": 1}, ["by the way"])


def test_a_reply_of_the_reply_that_lists_calls_is_doubt():
    answer = Answer(paths_of(HttpCall(url="http://desk/", reply="$.t")))
    answer.add({"t": {"text": "hi", "tools": ["delete_order"]}})
    assert [piece.may_hold for piece in answer.reply("hi").unread] == ["call"]


def test_calls_of_other_tools_beside_the_reply_are_no_doubt_of_this_one():
    answer = Answer(paths_of(HttpCall(url="http://desk/", reply="$.t", tool_calls="$.calls")))
    answer.add(
        {"t": "hi", "calls": [], "trace": {"steps": ["plan"]}, "events": [{"type": "tool_start", "name": "look"}]}
    )
    assert all(" " in piece.tool or piece.is_name for piece in answer.reply("hi").unread)


def test_a_call_beside_the_reply_of_a_stream_may_be_of_any_tool():
    """Its name may go on in the next piece."""
    answer = Answer(paths_of(HttpCall(url="http://desk/", reply="$.t", tool_calls="$.calls")), streamed=True)
    for name in ("delete_", "order"):
        answer.add({"t": "x", "trace": {"steps": [{"tool": name, "args": {}}]}})
    assert [piece.tool for piece in answer.reply("hi").unread if not piece.is_name] == ["", ""]
