"""What a stream of events tells and its last event does not have."""

import json
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from vivavoce.errors import CallFailed
from vivavoce.model_wires.responses_stream import read_stream
from vivavoce.protocols import ModelReply

SAID = {"type": "message", "id": "m", "content": [{"type": "output_text", "text": "It is ok."}]}
CALL = {"type": "function_call", "id": "f", "call_id": "c", "name": "delete_order", "arguments": '{"id": 1}'}


def end(*items: dict[str, Any], kind: str = "response.completed") -> dict[str, Any]:
    return {"type": kind, "response": {"object": "response", "status": "completed", "output": list(items)}}


def done(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "response.output_item.done", "output_index": 0, "item": item}


def added(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "response.output_item.added", "output_index": 0, "item": item}


def delta(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "response.output_text.delta", "item_id": "m", "content_index": 0, "delta": words, **more}


async def streamed(*told: dict[str, Any]) -> ModelReply:
    async def events() -> AsyncIterator[bytes]:
        for each in told:
            yield json.dumps(each).encode()
        yield b"[DONE]"

    return await read_stream(events())


@pytest.mark.parametrize(
    "told",
    [
        [done(CALL), end(SAID)],
        [done(CALL), end(SAID, {**CALL, "arguments": "{}"})],
        [added({**CALL, "arguments": ""}), end(SAID)],
        [added({"type": "new_call_thing", "name": "delete_order"}), end(SAID)],
        [{"type": "response.function_call_arguments.done", "name": "delete_order", "arguments": "{}"}, end(SAID)],
        [end(CALL, kind="response.in_progress"), end(SAID)],
        [{"type": "response.tool_call", "name": "delete_order", "arguments": "{}"}, end(SAID)],
        [delta("It is ok.", tool_calls=[{"name": "delete_order"}]), end(SAID)],
        [{**end(SAID), "tool_calls": [{"name": "delete_order"}]}],
        [end(SAID), done(CALL)],
        [end(SAID), end(CALL)],
        [delta("Other words"), end(SAID)],
        [done({**SAID, "content": [{"type": "output_text", "text": "Other words"}]}), end(SAID)],
    ],
)
async def test_what_the_last_event_does_not_have_is_unread(told):
    assert (await streamed(*told)).unread


async def test_an_ordinary_stream_is_read_without_doubt():
    reply = await streamed(
        end(kind="response.created"),
        end(kind="response.in_progress"),
        added({**SAID, "content": []}),
        {"type": "response.content_part.added", "part": {"type": "output_text", "text": ""}},
        delta("It is", obfuscation="x1"),
        delta(" ok."),
        {"type": "response.output_text.done", "text": "It is ok."},
        {"type": "response.content_part.done", "part": {"type": "output_text", "text": "It is ok."}},
        done(SAID),
        added({**CALL, "arguments": "", "status": "in_progress"}),
        {"type": "response.function_call_arguments.delta", "item_id": "f", "delta": '{"id": 1}'},
        {"type": "response.function_call_arguments.done", "item_id": "f", "arguments": '{"id": 1}'},
        done({**CALL, "status": "completed"}),
        end(SAID, {**CALL, "status": "completed"}),
    )
    assert (reply.text, [call.name for call in reply.calls], reply.unread) == ("It is ok.", ["delete_order"], ())


@pytest.mark.parametrize("kind", ["response.failed", "response.cancelled"])
async def test_a_failed_response_is_an_error_whatever_status_is_in_it(kind: str):
    with pytest.raises(CallFailed):
        await streamed(end(SAID, kind=kind))


@pytest.mark.fuzz
async def test_a_long_stream_of_words_and_items_is_read_in_linear_time():
    pieces = [delta("x" * 2000) for _ in range(10_000)]
    items = [{"type": "message", "content": [{"type": "output_text", "text": f"{n} " * 200}]} for n in range(4_000)]
    whole = {"type": "message", "content": [{"type": "output_text", "text": "x" * 20_000_000}]}
    began = time.thread_time()
    reply = await streamed(*pieces, *map(done, items), end(*items, whole))
    assert time.thread_time() - began < 20
    assert not reply.unread


async def test_many_words_that_are_not_those_of_an_item_are_unread():
    items = [{"type": "message", "content": [{"type": "output_text", "text": f"x{n}"}]} for n in range(300)]
    whole = {"type": "message", "content": [{"type": "output_text", "text": "".join(f"x{n}" for n in range(300))}]}
    assert not (await streamed(*map(done, items[:50]), end(whole))).unread
    assert (await streamed(*map(done, items), end(whole))).unread
