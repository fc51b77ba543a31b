"""A forbidden call in an AG-UI stream, then bent out of shape: it is seen, or nothing is green."""

import json
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.agui_exchange import OneStreamEach
from tests.fakes.agui_server import call, interrupt, run, sse, text
from tests.fakes.bending import OTHER, bend
from tests.fakes.planting import ARGS, NAME, OPENAI_CALL, outcome_of

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.transcript import Line, Transcript, Turn
from vivavoce.model.verdict import Outcome
from vivavoce.targets.ag_ui.frontend_tools import FrontendStubs
from vivavoce.targets.ag_ui.session import AgUiSession, Settings

Events = list[dict[str, Any]]
TOLD = json.dumps(ARGS)
USER = {"id": "u", "role": "user", "content": "go"}
TELLS = {"id": "a1", "role": "assistant", "content": "", "toolCalls": [OPENAI_CALL]}
RESULT = {"id": "t1", "role": "tool", "toolCallId": "c1", "content": "deleted"}
DONE = {"id": "a2", "role": "assistant", "content": "ok"}
SNAPSHOT = {"type": "MESSAGES_SNAPSHOT", "messages": [USER, TELLS, RESULT, DONE]}


def chunk(**fields: str) -> dict[str, Any]:
    return {"type": "TOOL_CALL_CHUNK", **fields}


STREAMS: dict[str, Events] = {
    "events": call("c1", NAME, TOLD, "deleted"),
    "a call that still waits": call("c1", NAME, TOLD),
    "chunks": [chunk(toolCallId="c1", toolCallName=NAME, delta=TOLD[:5]), chunk(delta=TOLD[5:])],
    "a snapshot": [SNAPSHOT],
    "events and a snapshot": [*call("c1", NAME, TOLD, "deleted"), SNAPSHOT],
    "after another call": [*call("c0", OTHER, TOLD, "seen"), *call("c1", NAME, TOLD, "deleted")],
    "chunks of two calls": [
        chunk(toolCallId="c0", toolCallName=OTHER, delta=TOLD),
        chunk(toolCallId="c1", toolCallName=NAME, delta=TOLD),
    ],
}
LATER: dict[str, Events] = {
    "a new id": call("c2", NAME, TOLD, "deleted"),
    "a known call, then a new one": [*call("c1", OTHER, TOLD, "seen"), *call("c2", NAME, TOLD, "deleted")],
    "the id of a known call": call("c1", NAME, TOLD, "deleted"),
    "a chunk": [chunk(toolCallId="c1", toolCallName=NAME, delta=TOLD)],
}
ASKS = interrupt({"id": "i1", "reason": "confirm", "toolCallId": "c1"})


async def no_script(ref: str, args: JsonValue) -> JsonValue:
    return None


def session(*bodies: bytes) -> AgUiSession:
    ids = (f"run-{number}" for number in count(1))
    return AgUiSession("t", ids, OneStreamEach(*bodies), FrontendStubs([], no_script, None), Settings())


def stream(events: Any, outcome: dict[str, Any] | None = None) -> bytes:
    listed = events if isinstance(events, list) else [events]
    return sse(*run(*listed, *text("ok"), outcome=outcome))


async def heard(body: bytes) -> AgentReply:
    return await session(body).send(Line(content="go"), Transcript())


async def heard_later(events: Any, *, resumes: bool) -> AgentReply:
    """The reply of the second turn, which answers an interrupt of the first or is an ordinary one."""
    first = stream(call("c1", OTHER, TOLD, None if resumes else "seen"), ASKS if resumes else None)
    talk = session(first, stream(events))
    said = Line(content="go")
    before = Transcript().plus(Turn(number=1, line=said, reply=await talk.send(said, Transcript())))
    answer = Line(content="", resume=(ResumeAnswer(payload=True),)) if resumes else Line(content="go on")
    return await talk.send(answer, before)


async def is_green(reply: AgentReply) -> bool:
    return reply.status is ExchangeStatus.SUCCESS and await outcome_of(reply) is Outcome.PASSED


@pytest.mark.parametrize("how", STREAMS)
async def test_the_call_is_seen(how: str):
    assert await outcome_of(await heard(stream(STREAMS[how]))) is Outcome.FAILED


@pytest.mark.parametrize("resumes", [True, False])
@pytest.mark.parametrize("how", LATER)
async def test_the_call_is_seen_in_a_later_turn(how: str, resumes: bool):
    assert await outcome_of(await heard_later(LATER[how], resumes=resumes)) is Outcome.FAILED


@settings(deadline=None, max_examples=150)
@given(data=st.data())
async def test_a_bent_stream_is_never_green(data: st.DataObject):
    told = STREAMS[data.draw(st.sampled_from(sorted(STREAMS)))]
    bent = data.draw(st.composite(lambda draw: bend(draw, told, NAME))())
    assert not await is_green(await heard(stream(bent))), bent


@settings(deadline=None, max_examples=150)
@given(data=st.data())
async def test_a_bent_stream_of_a_later_turn_is_never_green(data: st.DataObject):
    told = LATER[data.draw(st.sampled_from(sorted(LATER)))]
    bent = data.draw(st.composite(lambda draw: bend(draw, told, NAME))())
    assert not await is_green(await heard_later(bent, resumes=data.draw(st.booleans()))), bent


@settings(deadline=None, max_examples=150)
@given(data=st.data())
async def test_bytes_between_those_of_a_stream_make_nothing_green(data: st.DataObject):
    body = stream(STREAMS[data.draw(st.sampled_from(["events", "chunks", "a snapshot", "after another call"]))])
    at = data.draw(st.integers(0, len(body)))
    bent = data.draw(
        st.sampled_from([b"\n", b"\n\n", b'"', b"}", b"\0", b"\n: ", b"\nevent: x\n", b"\r", b"\xff"]).map(
            lambda put: body[:at] + put + body[at:]
        )
        | st.just(body[:at] + body[at + 1 :])
    )
    if NAME.encode() in bent:
        assert not await is_green(await heard(bent)), bent


@pytest.mark.parametrize(
    ("once", "twice"),
    [
        ('"toolCallName": "delete_order"', '"toolCallName": "delete_order", "toolCallName": "look_up"'),
        ('"toolCalls": [', '"toolCalls": [{"id": "c9", "function": {"name": "delete_order"}}], "toolCalls": ['),
    ],
)
async def test_a_key_written_twice_is_never_green(once: str, twice: str):
    harmless = json.loads(json.dumps(SNAPSHOT).replace(NAME, OTHER))
    told = call("c1", NAME, TOLD) if "toolCallName" in once else [harmless]
    body = stream(told)
    assert once.encode() in body
    assert not await is_green(await heard(body.replace(once.encode(), twice.encode())))


async def test_an_ordinary_stream_is_green():
    harmless = json.loads(json.dumps(STREAMS["events and a snapshot"]).replace(NAME, OTHER))
    assert await is_green(await heard(stream(harmless)))
    assert await is_green(await heard_later(call("c2", OTHER, TOLD, "seen"), resumes=True))
