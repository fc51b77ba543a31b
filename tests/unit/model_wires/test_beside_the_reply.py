"""Unknown fields and events, keys written twice, and what comes after the end."""

import json

from vivavoce.model_wires.beside_the_reply import calls_beside, keys_written_twice, unknown_event
from vivavoce.model_wires.openai_wire import read_whole

CALL = {"id": "1", "type": "function", "function": {"name": "delete_order", "arguments": "{}"}}


def test_choices_of_a_chat_completion_written_twice_are_unread():
    called = json.dumps([{"index": 0, "message": {"role": "assistant", "tool_calls": [CALL]}}])
    said = json.dumps([{"index": 0, "message": {"role": "assistant", "content": "ok"}, "finish_reason": "stop"}])
    reply = read_whole(f'{{"choices": {called}, "choices": {said}}}'.encode())
    assert "an object with a key written twice" in [piece.where for piece in reply.unread]


def test_only_fields_that_may_tell_calls_are_unread():
    told = {"content": "x", "id": "1", "tool_calls": [CALL], "status": "done", "function": "f"}
    assert [piece.where for piece in calls_beside(told, {"content"}, "$")] == ["$.tool_calls"]
    assert len(calls_beside(told, {"content"}, "$", also={"function"})) == 2


def test_an_unknown_event_that_says_nothing_is_no_doubt():
    assert unknown_event({"type": "beat", "sequence_number": 3, "item_id": "i"}) == []
    assert unknown_event({"type": "tool", "name": "delete_order"})


def test_keys_written_twice():
    assert keys_written_twice(b'{"a": {"b": 1, "b": 2}}')
    assert keys_written_twice(b'{"a": {"b": 1}, "b": 2}') == []
