"""A forbidden call in the answer of a plain HTTP agent, then bent out of shape: it is seen, or nothing is green."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.fakes.bending import OTHER, bend
from tests.fakes.planting import ARGS, NAME, SAID, TEXT, is_green, outcome_of

from vivavoce.model.message import AgentReply
from vivavoce.model.verdict import Outcome
from vivavoce.targets.http_agent.answer import Answer, AnswerPaths, paths_of
from vivavoce.targets.http_agent.kind import HttpCall

CALL = {"id": "c1", "name": NAME, "args": ARGS, "result": "ok"}
PARTS = {"path": "$.steps", "name": "$.tool", "args": "$.given", "result": "$.out"}


def paths(**written: Any) -> AnswerPaths:
    return paths_of(msgspec.convert({"url": "http://desk/", **written}, HttpCall))


WHOLE: dict[str, tuple[AnswerPaths, Any]] = {
    "by paths": (paths(reply="$.reply", tool_calls="$.calls"), {"reply": TEXT, "calls": [CALL]}),
    "by the paths of its parts": (
        paths(reply="$.reply", tool_calls=PARTS),
        {"reply": TEXT, "steps": [{"tool": NAME, "given": ARGS, "out": "ok"}]},
    ),
    "without a path of the reply": (paths(tool_calls="$.calls"), {"content": TEXT, "calls": [CALL]}),
    "by its form": (paths(), {"content": TEXT, "tool_calls": [CALL]}),
    "beside data": (
        paths(reply="$.reply", data="$.data", tool_calls="$.calls"),
        {"reply": TEXT, "data": {"n": 1}, "calls": [CALL]},
    ),
}
STREAM: list[Any] = [{"reply": "I "}, {"calls": [{**CALL, "result": None}]}, {"calls": [CALL]}, {"reply": "looked."}]


def whole(at: AnswerPaths, document: Any) -> AgentReply:
    answer = Answer(at)
    answer.add(document)
    return structs.replace(answer.reply(SAID), shows_calls=True)


def streamed(documents: Any) -> AgentReply:
    answer = Answer(WHOLE["by paths"][0], streamed=True)
    for document in documents if isinstance(documents, list) else [documents]:
        answer.add(document)
    return structs.replace(answer.reply(SAID), shows_calls=True)


@pytest.mark.parametrize("how", WHOLE)
async def test_the_call_is_seen(how: str):
    assert await outcome_of(whole(*WHOLE[how])) is Outcome.FAILED


async def test_the_call_is_seen_in_a_stream():
    assert await outcome_of(streamed(STREAM)) is Outcome.FAILED


@settings(deadline=None, max_examples=300)
@given(data=st.data())
async def test_a_bent_answer_is_never_green(data: st.DataObject):
    at, document = WHOLE[data.draw(st.sampled_from(sorted(WHOLE)))]
    bent = data.draw(st.composite(lambda draw: bend(draw, document, NAME))())
    assert not await is_green(lambda: whole(at, bent)), bent


@settings(deadline=None, max_examples=200)
@given(data=st.data())
async def test_a_bent_stream_is_never_green(data: st.DataObject):
    bent = data.draw(st.composite(lambda draw: bend(draw, STREAM, NAME))())
    assert not await is_green(lambda: streamed(bent)), bent


async def test_an_ordinary_answer_is_green():
    assert await is_green(lambda: whole(WHOLE["by paths"][0], {"reply": TEXT, "calls": [{**CALL, "name": OTHER}]}))
