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
