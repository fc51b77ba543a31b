"""The published facts about who speaks next."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.speakers.talk import FakeAgents, talk, turn

from vivavoce.engine.attempt.awaiting import AwaitingRules
from vivavoce.model.case import CallOptions, Case, OnMissingInput, ScriptedTurn, SimulatorSpec
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.transcript import Awaiting, Ending, EndReason, Line, Transcript
from vivavoce.project.settings import AwaitingConfig
from vivavoce.protocols import Speaker
from vivavoce.speakers.composition import FirstOf, MissingInput, WhenAwaiting
from vivavoce.speakers.scripted import ScriptedSpeaker
from vivavoce.speakers.simulated import SimulatedSpeaker
from vivavoce.speakers.simulator_reply import SimulatorLine, read_simulator_reply

CHECKS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "checks.json").read_text("utf-8"))["checks"]
RULES = AwaitingRules.of(AwaitingConfig())


def group(name: str) -> Any:
    checks = [check for check in CHECKS if check["group"] == name]
    assert checks, f"no check of group {name}"
    return pytest.mark.parametrize("check", checks, ids=[check["id"] for check in checks])


@group("awaiting")
def test_awaiting(check: dict[str, Any]):
    said = check["turn"]
    calls = tuple(ToolCall(name=call["name"]) for call in said.get("tool_calls", ()))
    reply = AgentReply(text=said["content"], awaiting=said.get("awaiting_input"), calls=calls)
    assert RULES.detect(reply) == Awaiting(check["awaiting"], check["reason"])


class Person:
    async def next_line(self, transcript: Transcript) -> Line:
        return Line(content="typed", source="interactive")


STATUS = {
    EndReason.MISSING_INPUT_SKIP: "skipped",
    EndReason.MISSING_INPUT_FAIL: "failed",
    EndReason.COMPLETED: "end",
}


@group("next_input")
async def test_next_input(check: dict[str, Any]):
    state = check["state"]
    spec = SimulatorSpec(use="agents:sim")
    policy: OnMissingInput = state.get("on_missing_input", "skip")
    later: list[Speaker] = [MissingInput(policy)]
    if state["interactive"]:
        later.insert(0, Person())
    if state["simulator"]:
        later.insert(0, SimulatedSpeaker(Case(id="T"), spec, FakeAgents("next"), 20, "s"))
    script = [ScriptedTurn(content="first")] + [ScriptedTurn(content="next")] * state["turns_left"]
    speaker = FirstOf(ScriptedSpeaker(script, CallOptions()), WhenAwaiting(FirstOf(*later)))

    said = await speaker.next_line(talk(turn("first", awaiting=Awaiting(state["awaiting"], "agent_declared"))))

    if check["input_source"] is None:
        assert isinstance(said, Ending)
        assert STATUS[said.reason] == check["status"]
    else:
        assert isinstance(said, Line)
        assert said.source == check["input_source"]


@group("simulator.parse")
def test_simulator_parse(check: dict[str, Any]):
    read = read_simulator_reply(AgentReply(text=check["text"]))
    assert isinstance(read, SimulatorLine)
    assert (read.text, read.goal_achieved) == (check["message"], check["goal_achieved"])
