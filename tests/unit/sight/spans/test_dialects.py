"""Which spans are what: the borders between tool calls, model calls, hand-offs and agents."""

from typing import Any

import pytest

from vivavoce.sight.spans.dialects import (
    HandOff,
    asked_by,
    conversation_of,
    hand_off,
    is_framework,
    is_hand_off_tool,
    model_call,
    tool_call,
)
from vivavoce.sight.spans.span import Span


def span(name: str = "", scope: str = "", **attributes: Any) -> Span:
    told = {key.replace("__", "."): value for key, value in attributes.items()}
    return Span(trace="t", id="a", name=name, scope=scope, attributes=told)


TOOLS = {
    "conventions": span(gen_ai__operation__name="execute_tool", gen_ai__tool__name="pay"),
    "without an operation": span(gen_ai__tool__name="pay"),
    "openinference": span(openinference__span__kind="TOOL", tool__name="pay"),
    "vercel": span(ai__toolCall__name="pay"),
    "traceloop": span(traceloop__span__kind="tool", traceloop__entity__name="pay"),
    "logfire": Span(
        trace="t",
        id="a",
        scope="logfire.openai_agents",
        attributes={"name": "pay", "logfire.msg_template": "Function: {name}"},
    ),
}


@pytest.mark.parametrize("dialect", TOOLS)
def test_a_tool_call_is_known_in_every_dialect(dialect: str):
    found = tool_call(TOOLS[dialect])
    assert found is not None
    assert found.name == "pay"


@pytest.mark.parametrize(
    "other",
    [
        span("running tools", tools=["pay"]),
        span(gen_ai__tool__name="(merged tools)"),
        span(gen_ai__operation__name="chat", gen_ai__tool__name="pay"),
        span("handoff to B", openinference__span__kind="TOOL"),
    ],
)
def test_what_is_no_call_is_none(other: Span):
    assert tool_call(other) is None


def test_an_error_is_the_exceptions_message_without_its_trace():
    failed = Span(
        trace="t",
        id="a",
        failed=True,
        message="boom\nTraceback (most recent call last): …",
        attributes={"gen_ai.tool.name": "pay"},
    )
    found = tool_call(failed)
    assert found is not None
    assert found.error == "boom"


ASKED = {
    "conventions": {"gen_ai__output__messages": '[{"parts": [{"type": "tool_call", "id": "c", "name": "pay"}]}]'},
    "openinference": {
        "llm__output_messages__0__message__tool_calls__4__tool_call__id": "c",
        "llm__output_messages__0__message__tool_calls__4__tool_call__function__name": "pay",
    },
    "vercel": {"ai__response__toolCalls": '[{"toolCallId": "c", "toolName": "pay"}]'},
    "older traceloop": {
        "gen_ai__completion__0__tool_calls__0__name": "pay",
        "gen_ai__completion__0__tool_calls__0__id": "c",
    },
}


@pytest.mark.parametrize("dialect", ASKED)
def test_what_a_model_asked_for_is_read(dialect: str):
    assert [(asked.id, asked.name) for asked in asked_by(span(**ASKED[dialect]))] == [("c", "pay")]


@pytest.mark.parametrize(
    ("attributes", "tokens"),
    [
        ({"gen_ai__operation__name": "chat", "gen_ai__usage__input_tokens": 3}, (3, 0)),
        ({"openinference__span__kind": "LLM", "llm__token_count__completion": 4}, (0, 4)),
        ({"ai__operationId": "ai.generateText.doGenerate", "gen_ai__usage__completion_tokens": -1}, (0, 0)),
    ],
)
def test_tokens_stand_on_model_calls(attributes: dict[str, Any], tokens: tuple[int, int]):
    found = model_call(span(**attributes))
    assert found is not None
    assert (found.input_tokens, found.output_tokens) == tokens
    assert model_call(span(gen_ai__operation__name="invoke_agent", gen_ai__usage__input_tokens=9)) is None


def test_hand_offs_conversations_and_frameworks():
    handed = hand_off(span(gen_ai__tool__name="transfer_to_agent", gen_ai__tool__call__arguments='{"agent_name": "B"}'))
    assert handed == HandOff("B", None)
    assert hand_off(span(gen_ai__operation__name="chat")) is None
    assert conversation_of(span(session__id="s", group_id="g")) == "s"
    assert is_framework(span(gen_ai__operation__name="invoke_agent"))
    assert not is_framework(span("POST /chat"))


@pytest.mark.parametrize(
    ("name", "to", "is_one"),
    [
        ("transfer_to_billing", None, True),
        ("handoff_billing", None, True),
        ("ask_billing_desk", "Billing Desk", True),
        ("delete_order", "Billing Desk", False),
        ("delete_order", None, False),
    ],
)
def test_tools_that_hand_over_are_known_by_their_names(name: str, to: str | None, is_one: bool):
    assert is_hand_off_tool(name, [HandOff(to, None)]) is is_one
