"""viva's own form of a reply."""

from typing import Any

import pytest
from msgspec import UNSET

from vivavoce.errors import CallFailed
from vivavoce.targets.envelopes import from_envelope, is_envelope, is_plain_envelope, refuse_hidden_calls


@pytest.mark.parametrize(
    ("value", "is_one"),
    [
        ({"content": "hi"}, True),
        ({"tool_calls": []}, True),
        ({"state": {"x": 1}, "usage": {}}, True),
        ({"calls": [{"name": "pay", "args": {}}]}, True),
        ({"state": "CA", "zip": "94016"}, False),
        ({"calls": 3, "sold": 4}, False),
        ({}, False),
    ],
)
def test_data_that_shares_a_key_is_no_reply(value: dict[str, Any], is_one: bool):
    assert is_envelope(value) is is_one


def test_the_known_keys_are_read():
    reply = from_envelope(
        {
            "content": "done",
            "tool_calls": [{"name": "pay", "args": {"n": 1}, "result": "ok"}],
            "awaiting_input": True,
            "finish_reason": "stop",
            "usage": {"input_tokens": 3, "output_tokens": 4},
            "state": {"paid": True},
        }
    )
    assert reply.text == "done"
    assert [(call.name, call.args, call.result) for call in reply.calls] == [("pay", {"n": 1}, "ok")]
    assert (reply.awaiting, reply.finish_reason, reply.state) == (True, "stop", {"paid": True})
    assert reply.usage is not None
    assert reply.unread == ()


def test_structured_content_is_data():
    reply = from_envelope({"content": {"amount": 3}})
    assert reply.data == {"amount": 3}
    assert from_envelope({"content": "x"}).data is UNSET


@pytest.mark.parametrize(
    ("more", "where", "may_be"),
    [
        ({"text": "other words"}, "$.text", "words"),
        ({"tools": [{"name": "refund"}]}, "$.tools", "call"),
        ({"note": "I also did something"}, "$.note", "words"),
        ({"tools_used": "refund"}, "$.tools_used", "both"),
        ({"data": {"tool_calls": [{"name": "refund", "args": {}}]}}, "$.data", "call"),
    ],
)
def test_what_may_hide_words_or_a_call_is_unread(more: dict[str, Any], where: str, may_be: str):
    reply = from_envelope({"content": "done", "tool_calls": [{"name": "pay"}], **more})
    assert [(one.where.split(" ")[0], one.may_hold) for one in reply.unread] == [(where, may_be)]


def test_harmless_keys_are_a_warning_only():
    reply = from_envelope({"content": "done", "latency": 3})
    assert reply.unread == ()
    assert "latency" in reply.warnings[0]
    assert from_envelope({"content": "done", "model": "m"}).warnings == ()


def test_calls_under_a_misspelt_key_are_refused():
    with pytest.raises(CallFailed, match="tool calls belong under tool_calls"):
        refuse_hidden_calls({"content": "done", "toolCalls": [{"name": "pay"}]})
    refuse_hidden_calls({"content": "done", "toolCalls": []})


@pytest.mark.parametrize(
    "wrong", [{"awaiting_input": "yes"}, {"finish_reason": 3}, {"tool_calls": "pay"}, {"usage": 3}]
)
def test_a_key_of_another_type_is_the_agents_error(wrong: dict[str, Any]):
    with pytest.raises(CallFailed) as refused:
        from_envelope({"content": "done", **wrong})
    assert refused.value.fault == "agent"


def test_a_plain_one_has_a_text_and_known_keys_only():
    assert is_plain_envelope({"content": "x", "usage": {}})
    assert not is_plain_envelope({"content": "x", "note": "y"})
    assert not is_plain_envelope({"content": ["x"]})
