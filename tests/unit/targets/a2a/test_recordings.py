"""Every recorded answer of a real server is read as a person reads it."""

import re
from typing import Any

import pytest
from msgspec import UNSET
from tests.fakes.a2a_recordings import SERVERS, RecordedCaller, Recording, recordings_of

from vivavoce.model.message import ToolCall
from vivavoce.notation.json_text import json_or_text
from vivavoce.targets.a2a.answer import answer_in, reply_of
from vivavoce.targets.a2a.channel import Channel
from vivavoce.targets.a2a.failures import Failure
from vivavoce.targets.a2a.task_reading import TaskReading
from vivavoce.targets.a2a.wire import Interface, Request
from vivavoce.targets.stream_deadline import Deadline, Limits

READABLE = [server for server in SERVERS if any(each.reads for each in recordings_of(server).values())]


@pytest.mark.parametrize("server", READABLE)
async def test_every_answer_of_a_server_is_read_as_a_person_reads_it(server: str) -> None:
    recordings = recordings_of(server)
    wrong: dict[str, Any] = {}
    for name, recording in recordings.items():
        if recording.reads is None:
            continue
        reading, failure = await _read(recording, await _artifacts_before(name, recordings))
        seen, wanted = _seen(reading, failure), _wanted(recording)
        if seen != wanted:
            wrong[name] = {"seen": seen, "wanted": wanted}
    assert wrong == {}


@pytest.mark.parametrize("server", READABLE)
async def test_nothing_that_a_real_server_sends_is_unread(server: str) -> None:
    earlier: dict[str, dict[str, ToolCall]] = {}
    for name, recording in recordings_of(server).items():
        if recording.reads is None:
            continue
        # As in a conversation, the calls of the turns before are known: `rpc10.ask.2-answer` follows `rpc10.ask.1`.
        known = earlier.setdefault(".".join(name.split(".")[:2]), {})
        reading, _ = await _read(recording, (), known)
        reply = reply_of(reading, answer_in(reading))
        assert [piece for piece in reply.unread if not piece.is_name] == [], name
        known |= {call.id: call for call in reply.calls}


async def _read(
    recording: Recording, known: Any, earlier: dict[str, ToolCall] | None = None
) -> tuple[TaskReading, Failure | None]:
    """What one exchange comes to."""
    name = recording.name
    interface = Interface(
        url="http://127.0.0.1/",
        transport="JSONRPC" if name.startswith("rpc") else "HTTP+JSON",
        version="1.0" if "10." in name else "0.3",
    )
    channel = Channel(RecordedCaller(recording), interface, stream=True)  # pyright: ignore[reportArgumentType]
    reading = TaskReading(known, earlier, goes_on=bool(earlier))
    request = Request(method="POST", url=interface.url, body=b"{}", name="send")
    failure = await channel.exchange(request, {}, reading, Deadline(Limits(turn_s=10)))
    return reading, failure


async def _artifacts_before(name: str, recordings: dict[str, Recording]) -> Any:
    """The artifacts of the turn before, when the recording is the second turn of one task."""
    first = re.sub(r"\.(\d)-(stream-)?answer$", lambda m: f".{int(m[1]) - 1}" + ("-stream" if m[2] else ""), name)
    if first == name or first not in recordings:
        return {}
    return (await _read(recordings[first], ()))[0].said_artifacts()


def _seen(reading: TaskReading, failure: Failure | None) -> dict[str, Any]:
    answer = answer_in(reading)
    asked = [each.interrupt.id for each in answer.questions if each.interrupt.id != reading.task_id]
    return {
        "state": reading.state or ("message" if reading.messages else None),
        "text": answer.text,
        "data": [*answer.data, *asked],
        "files": len(answer.files),
        "calls": [
            (call.name, call.args, None if call.result is UNSET else call.result, call.error)
            for call in reading.calls.made()
        ],
        "failed": None if failure is None else failure.status.value,
    }


def _wanted(recording: Recording) -> dict[str, Any]:
    reads = recording.reads or {}
    return {
        "state": reads["state"],
        "text": reads["text"],
        "data": [value for data in reads.get("data", []) for value in _known_data(data)],
        "files": reads.get("files", 0),
        "calls": [
            (call["name"], _args(call["args"]), _value(call["result"]), call["error"])
            for call in reads.get("calls", [])
        ],
        "failed": _how_it_failed(recording, reads.get("error"), reads.get("ended", "")),
    }


def _known_data(data: Any) -> list[Any]:
    """Questions are told by their ids; pydantic-ai's structured result is taken out of its wrapper."""
    if "interrupts" in data:
        return [each["interruptId"] for each in data["interrupts"]]
    if data.keys() == {"id", "value"} or data.keys() == {"id", "name", "args"}:
        return [data["id"]]
    return [data["result"]] if data.keys() == {"result"} else [data]


def _args(told: Any) -> Any:
    return "(the server does not show the arguments)" if told is None else told


def _value(result: Any) -> Any:
    """A tool's result as the value that its text stands for."""
    value = json_or_text(result) if isinstance(result, str) else result
    return value if isinstance(value, dict | list) else result


def _how_it_failed(recording: Recording, error: dict[str, Any] | None, ended: str) -> str | None:
    if error is None:
        # Only pings came, or nothing at all.
        is_empty = (recording.reads or {})["state"] is None
        return "truncated" if ended == "broken off" or is_empty else None
    if error["code"] < 0:
        return "error" if error["code"] == -32603 else "protocol_error"
    body = json_or_text(recording.answer.removeprefix("data: ").strip().rpartition("data: ")[2])
    is_told = isinstance(body, dict) and isinstance(body.get("error"), dict)
    return "error" if is_told and error["code"] >= 500 else "http_error"
