"""A forbidden call in an answer of an A2A agent, then bent out of shape: it is seen, or nothing is green."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.fakes.a2a_exchange import DIALECTS, a2a_reply
from tests.fakes.bending import OTHER, bend
from tests.fakes.planting import ARGS, NAME, outcome_of

from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.verdict import Outcome
from vivavoce.targets.a2a.wire import Interface

Json = dict[str, Any]
IDS = {"contextId": "x", "taskId": "t"}
HI = {"text": "Hi."}
ADK = {"data": {"id": "c1", "name": NAME, "args": ARGS}, "metadata": {"adk_type": "function_call"}}
ADK_BACK = {"data": {"id": "c1", "name": NAME, "response": {"ok": 1}}, "metadata": {"adk_type": "function_response"}}
BEEAI = {"data": {"type": "tool-call", "id": "c1", "tool_name": NAME, "args": json.dumps(ARGS)}}
BEEAI_BACK = {"data": {"type": "tool-result", "result": "ok", "tool_name": NAME, "tool_call_id": "c1"}}
LANGGRAPH = {"data": {"tool_results": [{"name": NAME, "toolCallId": "c1", "content": "ok", "status": "success"}]}}
OF_LANGGRAPH = "Response from assistant x"
AGNO = {
    "agno_event_type": "tool_call_started",
    "tool_name": NAME,
    "tool_call_id": "c1",
    "tool_args": json.dumps(ARGS),
}


class Teller:
    """Writes events in one of the two versions."""

    def __init__(self, interface: Interface) -> None:
        self._old = interface.version == "0.3"

    def part(self, part: Json) -> Json:
        return {"kind": "data" if "data" in part else "text", **part} if self._old else part

    def message(self, *parts: Json, of: str = "agent") -> Json:
        role = of if self._old else f"ROLE_{of.upper()}"
        return {"messageId": f"m-{len(str(parts))}", "role": role, "parts": [self.part(part) for part in parts]}

    def state(self, name: str) -> str:
        return name if self._old else f"TASK_STATE_{name.upper()}"

    def status(self, state: str, *parts: Json, **more: Any) -> Json:
        said = {"message": self.message(*parts)} if parts else {}
        body = {**IDS, "status": {"state": self.state(state), **said}, **more}
        return {"kind": "status-update", **body} if self._old else {"statusUpdate": body}

    def artifact(self, *parts: Json, **more: Any) -> Json:
        body = {**IDS, "artifact": {"artifactId": "a1", "parts": [self.part(part) for part in parts], **more}}
        return {"kind": "artifact-update", **body} if self._old else {"artifactUpdate": body}

    def task(self, **more: Any) -> Json:
        body = {"id": "t", "contextId": "x", "status": {"state": self.state("completed")}, **more}
        return {"kind": "task", **body} if self._old else {"task": body}

    def answer(self, *parts: Json) -> Json:
        said = self.message(*parts)
        return {"kind": "message", **said} if self._old else {"message": said}


def streams(tell: Teller) -> Iterator[tuple[str, list[Json]]]:
    done = tell.status("completed")
    yield "adk", [tell.status("working", ADK), tell.status("working", ADK_BACK), tell.artifact(HI), done]
    yield "beeai", [tell.status("working", BEEAI), tell.status("working", BEEAI_BACK), tell.status("completed", HI)]
    yield "langgraph", [tell.artifact(HI, LANGGRAPH, description=OF_LANGGRAPH), done]
    yield "agno", [tell.status("working", metadata=AGNO), tell.status("completed", HI)]


def whole_answers(tell: Teller) -> Iterator[tuple[str, list[Json]]]:
    def artifacts(*parts: Json, **more: Any) -> list[Json]:
        return [{"artifactId": "a", "parts": [tell.part(part) for part in parts], **more}]

    user = tell.message({"text": "go"}, of="user")
    on_the_way = [user, tell.message(ADK), tell.message(ADK_BACK)]
    yield "adk, on the way", [tell.task(history=on_the_way, artifacts=artifacts(HI))]
    yield "adk, in the artifact", [tell.task(artifacts=artifacts(ADK, ADK_BACK, HI))]
    yield "adk, in a message", [tell.answer(ADK, HI)]
    yield "beeai", [tell.task(history=[user, tell.message(BEEAI), tell.message(BEEAI_BACK), tell.message(HI)])]
    yield "langgraph", [tell.task(artifacts=artifacts(HI, LANGGRAPH, description=OF_LANGGRAPH))]


SHAPES = [
    pytest.param(interface, events, stream, id=f"{interface} {how}{' streamed' if stream else ''}")
    for interface in DIALECTS
    for stream, several in ((True, streams), (False, whole_answers))
    for how, events in several(Teller(interface))
]


async def is_green(reply: AgentReply) -> bool:
    """Whether `forbid` holds, even when the user vouches that the server shows its calls."""
    vouched = structs.replace(reply, shows_calls=True)
    return reply.status is ExchangeStatus.SUCCESS and await outcome_of(vouched) is Outcome.PASSED


@pytest.mark.parametrize(("interface", "events", "stream"), SHAPES)
async def test_the_call_is_seen(interface: Interface, events: list[Json], stream: bool):
    assert await outcome_of(await a2a_reply(interface, *events, stream=stream)) is Outcome.FAILED


@settings(deadline=None, max_examples=150)
@given(data=st.data())
async def test_a_bent_answer_is_never_green(data: st.DataObject):
    interface, events, stream = data.draw(st.sampled_from([shape.values for shape in SHAPES]))
    bent = data.draw(st.composite(lambda draw: bend(draw, events, NAME))())
    told = bent if isinstance(bent, list) and bent else [bent]
    if not stream:
        told = told[:1]
    if NAME in json.dumps(told):
        assert not await is_green(await a2a_reply(interface, *told, stream=stream)), told


@pytest.mark.parametrize("interface", DIALECTS[:2], ids=str)
async def test_a_call_beside_the_result_of_a_response_is_never_green(interface: Interface):
    harmless = json.loads(json.dumps(next(streams(Teller(interface)))[1]).replace(NAME, OTHER))
    assert await is_green(await a2a_reply(interface, *harmless, stream=True))
    beside = {"toolCalls": [{"name": NAME, "args": ARGS}]}
    assert not await is_green(await a2a_reply(interface, *harmless, stream=True, beside=beside))
