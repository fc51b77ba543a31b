"""What the spans of a turn add to the agent's reply."""

from typing import Any

from tests.fakes.planting import outcome_of

from vivavoce.model.message import AgentReply, ToolCall, Usage
from vivavoce.model.verdict import Outcome
from vivavoce.sight.spans.additions import Seen, with_spans
from vivavoce.sight.spans.dialects import HandOff, SpanCall
from vivavoce.sight.spans.reading import Reading
from vivavoce.sight.spans.span import Span

PLAIN = AgentReply(text="ok", shows_calls=False)


def call(name: str = "look", **more: Any) -> SpanCall:
    told: dict[str, Any] = {"args": {"a": 1}, "result": "found", **more}
    return SpanCall(span=Span(trace="t", id="b", start_ns=2_000_000, end_ns=5_000_000), name=name, **told)


def added(reply: AgentReply = PLAIN, *calls: SpanCall, **more: Any) -> AgentReply:
    hands = more.pop("hand_offs", ())
    return with_spans(reply, Seen(reading=Reading(calls=calls, hand_offs=hands), **more))


async def test_complete_spans_show_all_calls():
    reply = added(PLAIN, call())
    assert reply.calls == (ToolCall(name="look", args={"a": 1}, result="found", started_ms=2, completed_ms=5),)
    assert (reply.shows_calls, reply.unread) == (True, ())
    assert await outcome_of(reply) is Outcome.PASSED


async def test_incomplete_spans_leave_doubt_whatever_the_answer_shows():
    assert await outcome_of(added(PLAIN, call(), problem="late")) is Outcome.BROKEN
    assert await outcome_of(added(AgentReply(text="ok"), problem="late")) is Outcome.BROKEN
    hidden = added(PLAIN, problem="late")
    assert (hidden.shows_calls, hidden.not_shown) == (False, "late")


async def test_spans_that_nobody_waited_for_prove_nothing():
    assert await outcome_of(added(AgentReply(text="ok"), problem="nobody waited", waited=False)) is Outcome.BROKEN


def test_calls_without_content_are_named():
    reply = added(PLAIN, call(args=None), call("pay", result=None))
    assert [(piece.where, piece.may_hold) for piece in reply.unread] == [("look", "details"), ("pay", "details")]


def test_tokens_hand_offs_and_a_guess_by_time_are_told():
    spent = Usage(3, 4)
    reply = added(PLAIN, usage=spent, by_time=True, hand_offs=(HandOff("Billing", "Triage"),))
    assert (reply.usage, len(reply.warnings)) == (spent, 1)
    assert reply.trace == ({"type": "hand_off", "to": "Billing", "by": "Triage"},)
    own = Usage(1, 1)
    assert added(AgentReply(text="ok", usage=own), usage=spent).usage == own
