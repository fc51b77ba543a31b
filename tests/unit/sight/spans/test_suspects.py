"""Spans that look like tool calls, in no dialect that viva reads: doubt, never nothing."""

from typing import Any

import pytest
from tests.fakes.planting import outcome_of
from tests.fakes.span_recordings import NAMES, spans

from vivavoce.model.message import AgentReply
from vivavoce.model.verdict import Outcome
from vivavoce.sight.spans.additions import Seen, with_spans
from vivavoce.sight.spans.completeness import missing_in
from vivavoce.sight.spans.reading import read_spans
from vivavoce.sight.spans.span import Span
from vivavoce.sight.spans.suspects import suspects_among, words_beside

AGENT = Span(trace="t", id="a", attributes={"gen_ai.operation.name": "invoke_agent"})


def span(name: str = "x", parent: str = "a", span_id: str = "c", **attributes: Any) -> Span:
    told = {key.replace("__", "."): value for key, value in attributes.items()}
    return Span(trace="t", id=span_id, parent=parent, name=name, attributes=told)


LOOK = span("execute_tool look", span_id="b", gen_ai__operation__name="execute_tool", gen_ai__tool__name="look")
STRANGE = [
    span("delete_order", openinference__span__kind="TOOL", input__value="{}"),
    span("execute_tool delete_order"),
    span(gen_ai__operation__name="execute_tool"),
    span(gen_ai__operation__name="execute_tool", gen_ai__tool__name=""),
    span(gen_ai__operation__name="tool", gen_ai__tool__name="delete_order"),
    span("delete_order", langfuse__observation__type="tool"),
    span("delete_order", langsmith__span__kind="tool"),
    span("tools/call delete_order", mcp__method__name="tools/call", mcp__tool__name="delete_order"),
    span(tool_name="delete_order", tool_input="{}"),
    span(toolName="delete_order"),
    span(ai__operationId="ai.toolCall", ai__toolCall__args="{}"),
    span(function__name="delete_order"),
    span(langsmith__span__kind=" tool", x="delete_order"),
    span(langsmith__span__kinds={"value": "tool"}, x="delete_order"),
    span(gen_ai__tool__names="delete_order"),
    span(result=[{"tool.name": "delete_order"}]),
    span("delete_order", mlflow__spanType='"TOOL"'),
    span("tools/call delete_order", rpc__method="tools/call"),
    Span(trace="t", id="c", parent="a", events=(("gen_ai.tool.call", {"tool.name": "delete_order"}),)),
]


@pytest.mark.parametrize("strange", STRANGE, ids=lambda one: f"{one.name} {one.attributes}")
def test_what_looks_like_a_call_leaves_a_trace_incomplete(strange: Span):
    found = [AGENT, LOOK, strange]
    assert list(suspects_among(found)) == [strange]
    missing = missing_in(found, read_spans(found), "s")
    assert ("may be a tool call" in missing.what, missing.for_good) == (True, True)


@pytest.mark.parametrize(
    "plain",
    [
        span("POST /chat"),
        span("running tools", tools=["look"]),
        span("tools/list", mcp__method__name="tools/list"),
        span("invoke_agent", gen_ai__operation__name="invoke_agent", gen_ai__tool__definitions="[]"),
        span("chat", gen_ai__operation__name="chat", gen_ai__tool__name="look"),
        span("x", gen_ai__operation__name="execute_tool", gen_ai__tool__name="(merged tools)"),
        span("handoff to B", openinference__span__kind="TOOL"),
        span("MCP send tools/call look", "b", mcp__method__name="tools/call"),
    ],
    ids=lambda one: one.name,
)
def test_what_is_no_call_or_part_of_one_is_not_suspected(plain: Span):
    found = [AGENT, LOOK, plain]
    assert list(suspects_among(found)) == []


@pytest.mark.parametrize("name", NAMES)
def test_no_recording_has_a_suspect(name: str):
    assert list(suspects_among(spans(name))) == []


def told(name: str, **fields: Any) -> Span:
    return Span(trace="t", id="c", parent="a", name=name, **fields)


CALL = '[{"role": "assistant", "tool_calls": [{"function": {"name": "delete_order", "arguments": "{}"}}]}]'
NAMED = [
    *map(told, ("delete_order", "tool:delete_order", "Tool delete_order", "RunActivity:delete_order")),
    told("delete_order.task", attributes={"traceloop.span.kind": "task"}),
    told("delete_order", attributes={"openinference.span.kind": "CHAIN"}),
    told("run", attributes={"code.function": "delete_order"}),
    told("step", events=(("tool_call", {"name": "delete_order"}),)),
    told("step", events=(("log", {"message": "calling tool delete_order"}),)),
    told("chat", attributes={"gen_ai.operation.name": "chat", "gen_ai.output.messages": CALL}),
    told("chat", attributes={"gen_ai.operation.name": "chat"}, events=(("gen_ai.choice", {"message": CALL}),)),
]


@pytest.mark.parametrize("named", NAMED, ids=lambda one: f"{one.name} {one.attributes} {one.events}")
async def test_a_span_that_only_names_a_tool_is_doubt_about_that_tool(named: Span):
    found = [AGENT, LOOK, named]
    seen = with_spans(AgentReply(text="ok", shows_calls=False), Seen(reading=read_spans(found)))
    assert await outcome_of(seen) is Outcome.BROKEN


def test_what_a_model_was_given_names_no_call():
    asked = told(
        "chat",
        attributes={"gen_ai.operation.name": "chat", "gen_ai.input.messages": CALL},
        events=(("gen_ai.assistant.message", {"tool_calls": CALL}), ("gen_ai.system.message", {"content": "`pay`"})),
    )
    assert words_beside([AGENT, asked]) == []
