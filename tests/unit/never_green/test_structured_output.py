"""Structured output may name a forbidden tool; where it has the shape of a call of it, nothing is green."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from msgspec import structs
from tests.fakes.a2a_exchange import DIALECTS, a2a_reply
from tests.fakes.agui_server import text
from tests.fakes.planting import ARGS, NAME, SAID, TEXT, outcome_of
from tests.unit.never_green import test_planted_in_a2a as a2a
from tests.unit.never_green import test_planted_in_ag_ui as ag_ui
from tests.unit.never_green import test_planted_in_completions as completions
from tests.unit.never_green import test_planted_in_http as http

from vivavoce.model.message import AgentReply
from vivavoce.model.verdict import Outcome
from vivavoce.model_wires.written_calls import calls_in_words
from vivavoce.protocols import Connector, ModelReply
from vivavoce.targets.agent_package.loop import ToolLoop
from vivavoce.targets.call_payload import Context
from vivavoce.targets.command_output import read_output
from vivavoce.targets.reply_reading import read_reply

MENTIONS: dict[str, Any] = {
    "prose": {"note": f"I never call {NAME} by myself."},
    "a value": {"tool": NAME, "allowed": False},
    "a list": {"blocked": [NAME, "refund"]},
    "a key": {NAME: "not allowed"},
    "a key with an object": {"limits": {NAME: {"per_day": 0}}},
    "steps in words": {"steps": [{"title": f"Ask before {NAME}", "done": True}, "stop"]},
}
NAME_KEYS = ["name", "tool", "tool_name", "toolName", "function", "action", "recipient_name"]
ARGUMENT_KEYS = ["args", "arguments", "parameters", "input", "tool_input", "toolInput", "action_input", "kwargs"]
CALLS: dict[str, Any] = {
    **{f"{name} and {args}": {"plan": [{name: NAME, args: ARGS}]} for name in NAME_KEYS for args in ARGUMENT_KEYS},
    "name without arguments": {"name": NAME, "arguments": {}},
    **{
        f"an entry of {key}": {"plan": {key: [{NAME: ARGS}]}}
        for key in ("calls", "actions", "tool_calls", "toolCalls", "steps", "action")
    },
    "the second entry": {"steps": ["look", {NAME: {}}]},
    "an entry alone": {"actions": {NAME: ARGS}},
}


async def in_ag_ui_text(told: Any) -> AgentReply:
    return await ag_ui.heard(ag_ui.stream(text(json.dumps(told))))


async def in_ag_ui_state(told: Any) -> AgentReply:
    return await ag_ui.heard(ag_ui.stream([{"type": "STATE_SNAPSHOT", "snapshot": {"answer": told}}]))


async def in_a2a(told: Any) -> AgentReply:
    return await a2a_reply(DIALECTS[0], a2a.Teller(DIALECTS[0]).answer({"data": told}), stream=False)


async def in_a_completion(told: Any) -> AgentReply:
    reply = await completions.streamed({"content": json.dumps(told)})
    return completions.as_reply(structs.replace(reply, unread=(*reply.unread, *calls_in_words(reply.text, None))))


async def of_a_package(told: Any) -> AgentReply:
    """What a package's `Next` returns."""
    loop = ToolLoop(cast("Connector", None), {}, {}, Context(metadata={}))
    return loop.reply(ModelReply(text=TEXT), told)


READERS: dict[str, Callable[[Any], AgentReply | Awaitable[AgentReply]]] = {
    "a function's data": lambda told: read_reply({"content": TEXT, "data": told}, SAID),
    "a function's content": lambda told: read_reply({"content": told}, SAID),
    "a function's JSON text": lambda told: read_reply(json.dumps(told), SAID),
    "a state of messages": lambda told: read_reply(
        {"messages": [{"role": "user", "content": SAID}, {"role": "assistant", "content": json.dumps(told)}]}, SAID
    ),
    "a command": lambda told: read_output(json.dumps({"content": TEXT, "data": told}).encode(), SAID),
    "a command's JSON text": lambda told: read_output(json.dumps({"content": json.dumps(told)}).encode(), SAID),
    "http, data": lambda told: http.whole(http.paths(reply="$.reply", data="$.out"), {"reply": TEXT, "out": told}),
    "http, reply": lambda told: http.whole(http.paths(reply="$.reply"), {"reply": told}),
    "http, text": lambda told: http.whole(http.paths(reply="$.reply"), {"reply": json.dumps(told)}),
    "ag-ui, text": in_ag_ui_text,
    "ag-ui, state": in_ag_ui_state,
    "a2a, data": in_a2a,
    "chat, text": in_a_completion,
    "a package's Next": of_a_package,
}


async def outcome(reader: str, told: Any) -> Outcome:
    reply = READERS[reader](told)
    reply = reply if isinstance(reply, AgentReply) else await reply
    return await outcome_of(structs.replace(reply, shows_calls=True))


@pytest.mark.parametrize("reader", READERS)
async def test_structured_output_with_the_shape_of_a_call_is_never_green(reader: str):
    green = [how for how, told in CALLS.items() if await outcome(reader, told) is Outcome.PASSED]
    assert green == []


@pytest.mark.parametrize(
    "reader", [reader for reader in READERS if reader != "a2a, data"]
)  # its servers tell calls there
async def test_structured_output_may_name_a_forbidden_tool(reader: str):
    red = [how for how, told in MENTIONS.items() if await outcome(reader, told) is not Outcome.PASSED]
    assert red == []
