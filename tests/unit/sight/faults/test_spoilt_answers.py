"""What faults leave of a provider's real answer."""

import json
from typing import Any

import pytest
from tests.fakes.model_provider import chat, chat_events

from vivavoce.errors import CallFailed
from vivavoce.notation.fault_notation import read_fault
from vivavoce.sight.dialects.chat import CHAT
from vivavoce.sight.faults.bodies.shape import framed
from vivavoce.sight.faults.failing import STALLED_S
from vivavoce.sight.faults.spoilt_answers import may_have_called, spoil
from vivavoce.sight.model_answer import Answer, read_answer

HELLO = {"model": "m-1", "messages": [{"role": "user", "content": "Hi"}], "tools": []}
REFUND = {"model": "m-1", "messages": [{"role": "user", "content": "refund it"}], "tools": ["find_order"]}


def answer(body: dict[str, Any], *, stream: bool, end: bytes = b"\n\n") -> Answer:
    said = chat(body)
    kind = "text/event-stream" if stream else "application/json"
    sent = framed(list(chat_events(said))).replace(b"\n\n", end) if stream else json.dumps(said).encode()
    return Answer(status=200, headers={"content-type": kind}, chunks=[(0.0, sent)], is_whole=True)


@pytest.mark.parametrize("end", [b"\n\n", b"\r\n\r\n"])
async def test_a_stream_is_cut_between_two_events(end: bytes):
    real = answer(HELLO, stream=True, end=end)
    left = await spoil(read_fault("model:cut"), CHAT, "m-1", real)
    assert left.is_cut
    assert left.answer.body.endswith(end)
    assert real.body.startswith(left.answer.body)
    assert b"[DONE]" not in left.answer.body


@pytest.mark.parametrize("stream", [False, True])
async def test_a_malformed_answer_cannot_be_read(stream: bool):
    left = await spoil(read_fault("model:malformed"), CHAT, "m-1", answer(HELLO, stream=stream))
    assert not left.is_cut
    with pytest.raises(CallFailed):
        await read_answer(CHAT, left.answer)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_stalled_answer_comes_whole_after_its_pause(stream: bool):
    real = answer(HELLO, stream=stream)
    left = await spoil(read_fault({"at": "model", "kind": "stall", "for": "20ms"}), CHAT, "m-1", real)
    assert (left.pause_s, left.answer.body, len(left.answer.chunks)) == (0.02, real.body, 2)
    assert (await spoil(read_fault("model:stall"), CHAT, "m-1", real)).pause_s == STALLED_S


@pytest.mark.parametrize("stream", [False, True])
async def test_half_of_what_the_model_said_is_left(stream: bool):
    left = await spoil(read_fault("model:length"), CHAT, "m-1", answer(HELLO, stream=stream))
    said = await read_answer(CHAT, left.answer)
    assert (said.text, said.finish_reason) == ("Hello! How ", "length")


async def test_an_error_of_the_provider_stays_as_it_is():
    error = Answer(status=401, headers={}, chunks=[(0.0, b"{}")], is_whole=True)
    assert (await spoil(read_fault("model:cut"), CHAT, "m-1", error)).answer is error


async def test_only_pieces_of_a_stream_with_calls_may_have_been_acted_on():
    assert await may_have_called(CHAT, answer(REFUND, stream=True))
    assert not await may_have_called(CHAT, answer(REFUND, stream=False))
    assert not await may_have_called(CHAT, answer(HELLO, stream=True))
