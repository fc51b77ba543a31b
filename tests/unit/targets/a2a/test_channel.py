"""Requests to an A2A agent: other interfaces, polls, and what an answer that is none is called."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from tests.fakes.a2a_exchange import ReadyAnswer
from tests.fakes.a2a_server import task

from vivavoce.errors import CallFailed
from vivavoce.model.message import ExchangeStatus
from vivavoce.targets.a2a import channel as channel_module
from vivavoce.targets.a2a.channel import SSE, Channel
from vivavoce.targets.a2a.failures import Failure
from vivavoce.targets.a2a.task_reading import TaskReading
from vivavoce.targets.a2a.wire import Interface, Said
from vivavoce.targets.http_exchange import ConnectionBroken, HttpCaller, NotReached
from vivavoce.targets.stream_deadline import Deadline, Limits

RPC = Interface(url="http://first", transport="JSONRPC", version="1.0")
OTHER = Interface(url="http://second", transport="JSONRPC", version="1.0")


class Caller:
    """Gives the n-th answer to the n-th request; an exception is raised."""

    def __init__(self, *answers: ReadyAnswer | Exception) -> None:
        self._answers = list(answers)
        self.urls: list[str] = []

    @asynccontextmanager
    async def request(self, method: str, url: str, *_: Any) -> AsyncIterator[ReadyAnswer]:
        self.urls.append(url)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        yield answer


def result(value: Any, **more: Any) -> ReadyAnswer:
    return ReadyAnswer(json.dumps({"jsonrpc": "2.0", "id": "1", "result": value, **more}).encode(), "application/json")


def stream(*values: Any, rest: str = "") -> ReadyAnswer:
    frames = "".join(f"data: {json.dumps({'jsonrpc': '2.0', 'id': '1', 'result': value})}\n\n" for value in values)
    return ReadyAnswer(f"{frames}{rest}".encode(), SSE)


DONE = task("COMPLETED")
WORKING = task("WORKING")


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(channel_module, "_FIRST_WAIT_S", 0.0)


async def said(caller: Caller, **fields: Any) -> tuple[Failure | None, TaskReading, Channel]:
    limits = fields.pop("limits", Limits())
    interface = fields.pop("interface", RPC)
    channel = Channel(cast("HttpCaller", caller), interface, **{"stream": False, **fields})
    reading = TaskReading()
    failure = await channel.say(Said(text="hi"), {}, reading, Deadline(limits))
    return failure, reading, channel


async def test_a_task_is_asked_for_until_it_is_over():
    caller = Caller(result(WORKING), result(WORKING), result(DONE))
    failure, reading, _ = await said(caller)
    assert (failure, reading.is_over, len(caller.urls)) == (None, True, 3)


async def test_a_task_without_an_id_cannot_be_asked_for():
    nameless = json.loads(json.dumps(WORKING))
    (nameless.get("task") or nameless).pop("id")
    failure, _, _ = await said(Caller(result(nameless)))
    assert failure is not None
    assert "has no id" in str(failure.error)


async def test_a_turn_that_takes_too_long_is_cut_off_with_the_state_of_the_task():
    failure, _, _ = await said(Caller(*[result(WORKING)] * 3), limits=Limits(turn_s=0.0, idle_s=60))
    assert failure is not None
    assert failure.status is ExchangeStatus.TRUNCATED


async def test_where_nobody_answers_the_next_interface_is_tried_and_the_reply_says_so():
    caller = Caller(NotReached("refused"), result(DONE))
    failure, _, channel = await said(caller, others=(OTHER,))
    assert (failure, channel.interface) == (None, OTHER)
    assert "nobody answers (refused): http://second was used" in channel.warnings[0]


async def test_where_nobody_answers_at_all_the_call_failed():
    with pytest.raises(CallFailed, match="refused") as caught:
        await said(Caller(NotReached("refused")))
    assert (caught.value.fault, caught.value.retryable) == ("target", True)


@pytest.mark.parametrize(
    ("answer", "status", "what"),
    [
        (ReadyAnswer(b"<html>", "text/html"), ExchangeStatus.PROTOCOL_ERROR, "html"),
        (ReadyAnswer(b"gone", "text/plain", 503), ExchangeStatus.HTTP_ERROR, "503"),
        (ReadyAnswer(b"{}", "application/json"), ExchangeStatus.PROTOCOL_ERROR, "no JSON-RPC response"),
        (ConnectionBroken("reset"), ExchangeStatus.TRUNCATED, "reset"),
    ],
)
async def test_an_answer_that_is_none_is_named(answer: Any, status: ExchangeStatus, what: str):
    failure, _, _ = await said(Caller(answer))
    assert failure is not None
    assert failure.status is status
    assert what in str(failure.error)


async def test_a_connection_that_breaks_after_the_end_took_nothing_away():
    class BreaksOff(ReadyAnswer):
        async def chunks(self) -> AsyncIterator[bytes]:
            async for chunk in super().chunks():
                yield chunk
            raise ConnectionBroken("reset")

    ready = stream(DONE)
    body = b"".join([chunk async for chunk in ready.chunks()])
    failure, reading, _ = await said(Caller(BreaksOff(body, SSE)), stream=True)
    assert (failure, reading.is_over) == (None, True)


@pytest.mark.parametrize(
    ("answer", "what"),
    [(stream(), "without a single event"), (stream(rest="data: {half"), "in the middle of an event")],
)
async def test_a_stream_that_says_nothing_whole_is_cut_off(answer: ReadyAnswer, what: str):
    failure, _, _ = await said(Caller(answer), stream=True)
    assert failure is not None
    assert what in str(failure.error)


@pytest.mark.parametrize(("error", "status"), [({"code": 429}, "429"), ({"code": "odd"}, "500")])
async def test_an_error_in_a_stream_of_the_rest_interface_is_a_failure(error: Any, status: str):
    frame = json.dumps({"error": error})
    rest = Interface(url="http://first", transport="HTTP+JSON", version="1.0")
    failure, _, _ = await said(Caller(ReadyAnswer(f"data: {frame}\n\n".encode(), SSE)), interface=rest, stream=True)
    assert failure is not None
    assert failure.status in (ExchangeStatus.HTTP_ERROR, ExchangeStatus.ERROR)
    assert f"HTTP {status}" in str(failure.error)


async def test_calls_beside_the_result_are_unread():
    beside = {"tool_calls": [{"name": "refund"}]}
    _, reading, _ = await said(Caller(result(DONE, **beside)))
    assert [one.where for one in reading.unread] == ["beside the result of the JSON-RPC response"]


@pytest.mark.parametrize("kind", ["application/json", SSE])
async def test_an_answer_with_a_key_written_twice_is_none(kind: str):
    (body,) = [piece async for piece in result(DONE).chunks()]
    body = body.replace(b'"result"', b'"result": {"kind": "message"}, "result"')
    failure, *_ = await said(Caller(ReadyAnswer(body if kind != SSE else b"data: " + body + b"\n\n", kind)))
    assert failure is not None
    assert "twice" in str(failure.error)
