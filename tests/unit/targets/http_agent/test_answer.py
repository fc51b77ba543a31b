"""Answers of HTTP agents: what must not get lost."""

from vivavoce.targets.http_agent.answer import Answer, paths_of
from vivavoce.targets.http_agent.kind import HttpCall


def test_one_id_with_two_names_is_two_calls():
    answer = Answer(paths_of(HttpCall(url="http://x", reply="$.answer", tool_calls="$.steps")))
    answer.add({"answer": "ok", "steps": [{"id": "x", "name": "delete_order"}, {"id": "x", "name": "search"}]})
    assert [call.name for call in answer.reply("hi").calls] == ["delete_order", "search"]


def test_without_a_path_of_the_reply_what_was_not_read_is_kept():
    answer = Answer(paths_of(HttpCall(url="http://x", tool_calls="$.steps")))
    answer.add({"content": "ok", "steps": [{"tool": "search", "name": "delete_order", "args": {}}]})
    assert answer.reply("hi").unread
