"""What is kept of a flood."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes.random_values import at_most

from vivavoce.engine.attempt.broken_reply import LARGEST_KEPT, kept_of
from vivavoce.model.message import AgentReply, ExchangeStatus, Message, ToolCall

MUCH = "x" * (2 * LARGEST_KEPT)
MANY = 100_000
FLOODS = {
    "text": AgentReply(text=MUCH),
    "texts": AgentReply(texts=(MUCH, MUCH)),
    "many texts": AgentReply(texts=("word " * 20,) * MANY),
    "data": AgentReply(data={"a": [MUCH]}),
    "much data": AgentReply(data=[["word " * 20]] * MANY),
    "arguments": AgentReply(calls=(ToolCall(name="pay", args={"a": MUCH}),)),
    "calls": AgentReply(calls=(ToolCall(name="pay", args={"a": "word " * 20}),) * MANY),
    "messages": AgentReply(messages=(Message(role="assistant", content="word " * 20),) * MANY),
    "trace": AgentReply(trace=({"type": "CUSTOM", "value": "word " * 20},) * MANY),
    "logs": AgentReply(logs=MUCH),
    "state": AgentReply(state={"a": MUCH}),
    "error": AgentReply(error=MUCH, status=ExchangeStatus.ERROR),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_is_cut_and_what_is_gone_is_unread(flood: str):
    kept = kept_of(FLOODS[flood])
    assert len(msgspec.json.encode(kept)) < LARGEST_KEPT
    assert kept.status is FLOODS[flood].status
    assert "only the beginning of" in str(kept.unread[-1])


@settings(max_examples=at_most(30))
@given(st.text(max_size=1000), st.lists(st.text(max_size=20), max_size=5))
def test_an_ordinary_answer_stays_as_it_is(text: str, texts: list[str]):
    reply = AgentReply(text=text, texts=tuple(texts), calls=(ToolCall(name="pay", args={"a": text}),))
    assert kept_of(reply) is reply
