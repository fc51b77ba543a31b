"""Every framework's reader on the objects that the real library gave, as they were recorded (tests/live/record.py)."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.fakes.recorded_objects import stand_in, watch

from vivavoce.model.message import AgentReply, ExchangeStatus, ToolCall
from vivavoce.targets.frameworks.known import FRAMEWORKS, reader_of
from vivavoce.targets.frameworks.turn_record import TurnRecord

RECORDINGS = Path(__file__).parents[3] / "data" / "frameworks"


def turns_of(name: str) -> list[dict[str, Any]]:
    return json.loads((RECORDINGS / f"{name}.json").read_text())


def replayed(name: str, turn: dict[str, Any]) -> AgentReply:
    framework = next(each for each in FRAMEWORKS if each.name == name)
    seen = TurnRecord(msgspec.convert(turn["earlier"], list[ToolCall]))
    seen.resumed = turn["said"] == "resume"
    for function, noted in turn["reads"]:
        getattr(reader_of(framework), function)(stand_in(noted), seen)
    return seen.reply()


def said(name: str, line: str) -> AgentReply:
    [turn] = [turn for turn in turns_of(name) if turn["said"] == line]
    return replayed(name, turn)


@pytest.fixture(params=[each.name for each in FRAMEWORKS])
def name(request: pytest.FixtureRequest) -> str:
    return request.param


def test_each_turn_is_read_as_when_it_was_recorded(name: str):
    for turn in turns_of(name):
        then = msgspec.convert(turn["reply"], AgentReply)
        now = replayed(name, turn)
        if turn["said"] == "resume":  # a conversation may take off what its earlier run had counted
            now = msgspec.structs.replace(now, usage=then.usage)
        assert timeless(now) == timeless(then), turn["said"]


def test_calls_and_their_results_are_read(name: str):
    calls = said(name, "both").calls
    assert [(call.name, call.args, call.result, call.error) for call in calls] == [
        ("get_weather", {"city": "Paris"}, "21 degrees in Paris", None),
        ("get_weather", {"city": "Rome"}, "21 degrees in Rome", None),
    ]


def test_what_a_failed_tool_returned_is_no_result(name: str):
    [call] = said(name, "atlantis").calls
    assert call.args == {"city": "Atlantis"}
    assert call.result is msgspec.UNSET


def test_it_remembers(name: str):
    if [turn for turn in turns_of(name) if turn["said"] == "who am I?"]:
        assert said(name, "who am I?").text == "You are both"


def test_a_stand_in_has_what_was_asked_for_and_nothing_else():
    class Real:
        name, more = "ada", ["x"]

        def method(self) -> dict[str, int]:
            return {"a": 1}

        def __str__(self) -> str:
            return "real"

    seen, note = watch(Real())
    assert (seen.name, seen.method(), str(seen), hasattr(seen, "absent")) == ("ada", {"a": 1}, "real", False)
    again = stand_in(json.loads(json.dumps(note())))
    assert (again.name, again.method(), str(again), type(again).__name__) == ("ada", {"a": 1}, "real", "Real")
    assert not hasattr(again, "absent")
    assert not hasattr(again, "more")


def timeless(reply: AgentReply) -> AgentReply:
    """Without the times of its calls, and without what the session adds to what was read."""
    replace = msgspec.structs.replace
    return replace(
        reply,
        calls=tuple(replace(call, started_ms=None, completed_ms=None) for call in reply.calls),
        late_results=tuple(replace(call, started_ms=None, completed_ms=None) for call in reply.late_results),
        warnings=(),
        error=None,
        status=ExchangeStatus.SUCCESS,
    )
