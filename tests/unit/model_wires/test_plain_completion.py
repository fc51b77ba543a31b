import json
from typing import Any

import pytest

from vivavoce.model.message import Usage
from vivavoce.model_wires.openai_wire import read_stream, read_whole
from vivavoce.model_wires.plain_completion import plain_delta, plain_reply

CHOICE: dict[str, Any] = {"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}


def test_words_and_usage_are_read():
    told = {"choices": [CHOICE], "model": "m", "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}}
    reply = plain_reply(json.dumps(told).encode())
    assert reply is not None
    assert (reply.text, reply.finish_reason, reply.usage) == ("hi", "stop", Usage(1, 2))


@pytest.mark.parametrize(
    "told",
    [
        {"choices": []},
        {"choices": [CHOICE, CHOICE]},
        {"choices": [CHOICE], "called_tools": ["pay"]},
        {"choices": [CHOICE], "model": {"tool_calls": []}},
        {"choices": [{**CHOICE, "delta": {}}]},
        {"choices": [{**CHOICE, "finish_reason": "tool_calls"}]},
        {"choices": [{**CHOICE, "message": {"content": "hi", "tool_calls": [{"name": "pay"}]}}]},
        {"choices": [{**CHOICE, "message": {"content": "hi", "refusal": "no"}}]},
        {"choices": [CHOICE], "usage": {"cost": 1}},
    ],
)
def test_anything_else_is_not_plain(told: dict[str, Any]):
    assert plain_reply(json.dumps(told).encode()) is None


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"index": 0, "delta": {"content": "hi"}, "finish_reason": None}, "hi"),
        ({"index": 0, "delta": {"role": "assistant", "content": None, "reasoning_content": "hm"}}, "hm"),
        ({"index": 1, "delta": {"content": "hi"}}, None),
        ({"index": 0, "delta": {"content": "hi"}, "finish_reason": "stop"}, None),
        ({"index": 0, "delta": {"content": "hi", "steps": ["pay"]}}, None),
    ],
)
def test_a_piece_is_plain_when_it_has_only_words(choice: dict[str, Any], words: str | None):
    delta = plain_delta(json.dumps({"choices": [choice]}).encode())
    assert (delta and (delta.content or delta.reasoning_content)) == words


@pytest.mark.parametrize(
    "choice",
    [
        '{"index":0,"finish_reason":"stop","message":{"content":"no","content":"hi"}}',
        '{"index":0,"finish_reason":"stop","message":{"content":"no"},"message":{"content":"hi"}}',
        '{"index":0,"finish_reason":"stop","message":{"content":"hi","tool_calls":[{"name":"pay"}],"tool_calls":[]}}',
        '{"index":0,"message":{"content":"no"}}],"choices":[{"index":0,"message":{"content":"hi"}}',
    ],
)
async def test_what_a_key_written_twice_hides_is_unread(choice: str):
    async def events():
        yield whole.replace("message", "delta").encode()
        yield b"[DONE]"

    whole = f'{{"choices":[{choice}]}}'
    for reply in (read_whole(whole.encode()), await read_stream(events())):
        assert "an object with a key written twice" in [piece.where for piece in reply.unread]
