"""Calls that stand beside what is read of an answer in another library's form."""

from typing import Any

import pytest

from vivavoce.targets.foreign_replies import from_foreign

TOLD = {"tool_calls": [{"function": {"name": "delete_order", "arguments": "{}"}}]}
SAID = {"role": "assistant", "content": "ok"}
ITEM = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "ok"}]}
HUMAN = {"type": "human", "content": "hi"}


@pytest.mark.parametrize(
    "answer",
    [
        {"choices": [{"message": SAID}], **TOLD},
        {"choices": [{"message": SAID, **TOLD}]},
        {"output": [ITEM], **TOLD},
        {"messages": [HUMAN, {"type": "ai", "content": "ok"}], "structured_response": TOLD},
    ],
)
def test_calls_beside_the_message_are_unread(answer: dict[str, Any]):
    reply = from_foreign(answer, "hi")
    assert reply is not None
    assert (reply.text, [piece.may_hold for piece in reply.unread]) == ("ok", ["call"])


def test_a_call_that_only_says_it_returns_a_structured_response_is_seen():
    called = {"type": "ai", "content": "", "tool_calls": [{"name": "delete_order", "args": {}, "id": "1"}]}
    result = {"type": "tool", "content": "Returning structured response: deleted", "tool_call_id": "1"}
    state = {"messages": [HUMAN, called, result, {"type": "ai", "content": "ok"}], "structured_response": {"a": 1}}
    reply = from_foreign(state, "hi")
    assert reply is not None
    assert [call.name for call in reply.calls] == ["delete_order"]


def test_what_real_completions_and_responses_have_beside_the_message_is_no_doubt():
    logprobs = {"content": [{"token": "ok", "logprob": -0.1}]}
    choice = {"index": 0, "message": SAID, "finish_reason": "stop", "logprobs": logprobs}
    completion = {"id": "c", "object": "chat.completion", "model": "m", "service_tier": "default", "choices": [choice]}
    tool = {"type": "function", "name": "delete_order", "parameters": {"type": "object"}}
    response = {"id": "r", "output": [ITEM], "tools": [tool], "tool_choice": "auto", "parallel_tool_calls": True}
    for answer in (completion, response):
        reply = from_foreign(answer, "hi")
        assert reply is not None
        assert reply.unread == ()
