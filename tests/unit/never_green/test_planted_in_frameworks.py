"""A forbidden call in the objects of every framework, as they were recorded, then bent: seen, or nothing is green."""

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.bending import Bent, every_bend
from tests.fakes.planting import NAME, outcome_of
from tests.fakes.recorded_objects import stand_in
from tests.unit.targets.frameworks.test_recorded_objects import turns_of

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.verdict import Outcome
from vivavoce.targets.frameworks.known import FRAMEWORKS, reader_of
from vivavoce.targets.frameworks.turn_record import TurnRecord

Reads = list[list[Any]]


def planted(name: str) -> Reads:
    """What a framework gave in a turn with one call, whose tool is the forbidden one now."""
    [turn] = [turn for turn in turns_of(name) if turn["said"] == "atlantis"]
    return json.loads(json.dumps(turn["reads"]).replace("get_weather", NAME))


def read(name: str, reads: Reads) -> AgentReply:
    framework = next(each for each in FRAMEWORKS if each.name == name)
    seen = TurnRecord()
    for function, noted in reads:
        getattr(reader_of(framework), function)(stand_in(_as_noted(noted)), seen)
    return seen.reply()


async def is_green(name: str, reads: Reads) -> bool:
    try:
        reply = read(name, reads)
    except (CallFailed, AttributeError, KeyError, TypeError, ValueError):
        return False  # the session makes an error of what a reader raises
    return reply.status is ExchangeStatus.SUCCESS and await outcome_of(reply) is Outcome.PASSED


def _as_noted(value: Any) -> Any:
    """Dicts that bending made, in the form of the recordings."""
    if isinstance(value, list):
        return [_as_noted(each) for each in value]
    if not isinstance(value, dict):
        return value
    if {"$type", "$returns", "$missing"}.isdisjoint(value):
        inner = value["$dict"] if isinstance(value.get("$dict"), dict) else value
        return {"$dict": {key: _as_noted(each) for key, each in inner.items()}}
    return {key: _as_noted(each) if key == "$returns" or key[0] != "$" else each for key, each in value.items()}


def is_possible(bent: Bent) -> bool:
    """Whether a library could give it: objects have the attributes of their class, runs a trace for each cycle."""
    if len(bent.path) < 3 or bent.path[-1] == "$type" or bent.how.startswith("told as another"):
        return False
    return "cycles" not in bent.path and not (bent.path[-2] == "traces" and bent.how.startswith("twi"))


NAMES = [each.name for each in FRAMEWORKS]


@cache
def bent_objects(name: str) -> list[Any]:
    return [bent.value for bent in every_bend(planted(name), NAME) if is_possible(bent)]


@pytest.mark.parametrize("name", NAMES)
async def test_the_call_is_seen(name: str):
    assert await outcome_of(read(name, planted(name))) is Outcome.FAILED


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
async def test_a_bent_object_is_never_green(name: str, data: st.DataObject):
    reads = data.draw(st.sampled_from(bent_objects(name)))
    assert not await is_green(name, reads), reads
