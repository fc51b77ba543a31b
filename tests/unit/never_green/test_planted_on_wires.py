"""A forbidden call on every model wire, in spans and on tapes, then bent out of shape: seen, or never green."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.bending import bend, every_bend
from tests.fakes.planting import ARGS, NAME, OPENAI_CALL, TEXT, TOOL_USE, outcome_of

from vivavoce.errors import CallFailed
from vivavoce.metering.prices import PriceList
from vivavoce.model.message import AgentReply
from vivavoce.model.verdict import Outcome
from vivavoce.protocols import ModelReply
from vivavoce.sight.dialects.anthropic import ANTHROPIC
from vivavoce.sight.dialects.chat import CHAT
from vivavoce.sight.dialects.dialect import Dialect
from vivavoce.sight.dialects.gemini import GEMINI
from vivavoce.sight.dialects.responses import RESPONSES
from vivavoce.sight.model_answer import Answer
from vivavoce.sight.proxy.sightings import Sightings
from vivavoce.sight.spans.additions import Seen, with_spans
from vivavoce.sight.spans.completeness import missing_in
from vivavoce.sight.spans.reading import read_spans
from vivavoce.sight.spans.span import Span
from vivavoce.sight.tapes.tape_lines import Entry, answer_in

PLAIN = AgentReply(text="ok", shows_calls=False)
GEMINI_CALL = {"functionCall": {"name": NAME, "args": ARGS}}
RESPONSES_CALL = {"type": "function_call", "call_id": "c1", "name": NAME, "arguments": json.dumps(ARGS)}
WIRES: list[tuple[Dialect, Any]] = [
    (CHAT, {"choices": [{"message": {"content": TEXT, "tool_calls": [OPENAI_CALL]}, "finish_reason": "tool_calls"}]}),
    (RESPONSES, {"object": "response", "status": "completed", "output": [RESPONSES_CALL]}),
    (
        ANTHROPIC,
        {
            "type": "message",
            "role": "assistant",
            "stop_reason": "tool_use",
            "content": [{"type": "text", "text": TEXT}, TOOL_USE],
        },
    ),
    (
        GEMINI,
        {
            "candidates": [
                {"content": {"role": "model", "parts": [{"text": TEXT}, GEMINI_CALL]}, "finishReason": "STOP"}
            ]
        },
    ),
]


async def through_the_proxy(dialect: Dialect, body: Any) -> AgentReply:
    sightings = Sightings(PriceList([]))
    answer = Answer(status=200, chunks=[(0.0, json.dumps(body).encode())], is_whole=True)
    await sightings.answer(dialect, "m", answer, 1, 1.0, "model call 1")
    return sightings.added_to(PLAIN, 1)


@pytest.mark.parametrize(("dialect", "body"), WIRES, ids=lambda one: getattr(one, "name", ""))
async def test_a_call_on_a_wire_is_seen_by_the_proxy(dialect: Dialect, body: Any):
    assert await outcome_of(await through_the_proxy(dialect, body)) is Outcome.FAILED


@settings(deadline=None, max_examples=400)
@given(data=st.data())
async def test_a_bent_answer_of_a_model_is_never_green(data: st.DataObject):
    dialect, body = data.draw(st.sampled_from(WIRES))
    bent = data.draw(st.composite(lambda draw: bend(draw, body, NAME))())
    if NAME in json.dumps(bent):
        assert await outcome_of(await through_the_proxy(dialect, bent)) is not Outcome.PASSED, bent


SPANS: list[dict[str, Any]] = [
    {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": NAME, "gen_ai.tool.call.arguments": "{}"},
    {"gen_ai.tool.name": NAME, "tool_arguments": "{}"},
    {"openinference.span.kind": "TOOL", "tool.name": NAME, "input.value": "{}"},
    {"ai.operationId": "ai.toolCall", "ai.toolCall.name": NAME, "ai.toolCall.args": "{}"},
    {"langsmith.span.kind": "tool", "gen_ai.tool.name": NAME, "gen_ai.prompt": "{}"},
    {"traceloop.span.kind": "tool", "traceloop.entity.name": NAME, "traceloop.entity.input": "{}"},
]
AGENT = Span(trace="t", id="a", attributes={"gen_ai.operation.name": "invoke_agent"})


def through_spans(attributes: dict[str, Any], name: str = "x") -> AgentReply:
    found = [AGENT, Span(trace="t", id="b", parent="a", name=name, attributes=attributes)]
    reading = read_spans(found)
    return with_spans(PLAIN, Seen(reading=reading, problem=missing_in(found, reading, "s").what))


@pytest.mark.parametrize("attributes", SPANS, ids=lambda one: next(iter(one)))
async def test_a_call_in_a_span_is_seen(attributes: dict[str, Any]):
    assert await outcome_of(through_spans(attributes)) is Outcome.FAILED


BENT_SPANS = [
    bent.value
    for attributes in SPANS
    for bent in every_bend(attributes, NAME)
    if isinstance(bent.value, dict) and not bent.how.startswith("told as another")
]


@settings(deadline=None, max_examples=300)
@given(attributes=st.sampled_from(BENT_SPANS))
async def test_a_bent_span_is_never_green(attributes: dict[str, Any]):
    assert await outcome_of(through_spans(attributes)) is not Outcome.PASSED, attributes


@settings(deadline=None, max_examples=200)
@given(attributes=st.sampled_from(SPANS), lost=st.integers(0, 2))
async def test_a_span_that_lost_an_attribute_is_never_green(attributes: dict[str, Any], lost: int):
    key = list(attributes)[min(lost, len(attributes) - 1)]
    left = {name: value for name, value in attributes.items() if name != key}
    if NAME in json.dumps(left):
        assert await outcome_of(through_spans(left)) is not Outcome.PASSED, left


TAPED = {"text": TEXT, "calls": [{"id": "c1", "name": NAME, "args": ARGS}], "finish_reason": "tool_calls"}


@settings(deadline=None, max_examples=200)
@given(data=st.data())
async def test_a_bent_answer_on_a_tape_is_never_green(data: st.DataObject):
    bent = data.draw(st.composite(lambda draw: bend(draw, TAPED, NAME))())
    try:
        reply = answer_in(Entry(case="c", chunks=[(0.0, json.dumps(bent))]), ModelReply)
    except CallFailed:
        return
    if NAME in json.dumps(bent) and "data" not in bent:  # structured output is no place for calls
        assert await outcome_of(AgentReply(text=reply.text, calls=reply.calls)) is not Outcome.PASSED, bent
