"""The same conversation without one element."""

import pytest
from msgspec import UNSET

from vivavoce.insight.coverage.happenings import happened
from vivavoce.insight.coverage.known_tools import KnownTools
from vivavoce.insight.coverage.probes import without
from vivavoce.model.agent_card import ToolSpec
from vivavoce.model.case import Case, ResumeAnswer
from vivavoce.model.coverage import Element, Group
from vivavoce.model.message import AgentReply, ExchangeStatus, Interrupt, ToolCall
from vivavoce.model.transcript import Line, Transcript, Turn

CASE = Case(id="T1")
SLOW = ToolCall(id="late", name="lookup", args={"q": "mug"}, result="found", started_ms=4, completed_ms=9)
REPLIES = (
    AgentReply(
        text="one moment",
        calls=(
            ToolCall(id="a", name="refund", args={"urgent": True, "amount": 4}, result={"ok": 1}, started_ms=1),
            ToolCall(id="b", name="refund", args={"urgent": True}, error="no", started_ms=2),
            ToolCall(id="c", name="mail", args={"to": "x"}, result="sent", started_ms=3),
            SLOW,
        ),
        interrupts=(Interrupt(id="i", reason="approve"),),
        finish_reason="tool_calls",
        trace=({"type": "HANDOFF", "to": "billing", "from": "desk"},),
    ),
    AgentReply(text="done", finish_reason="stop", late_results=(SLOW,)),
)
LINES = (Line(content="refund it"), Line(content="", resume=(ResumeAnswer(reason="approve"),)))
TALK = Transcript(
    turns=tuple(
        Turn(number=at, line=line, reply=reply, reached=("paid",) if at == 1 else ())
        for at, (line, reply) in enumerate(zip(LINES, REPLIES, strict=True), 1)
    )
)


def known() -> KnownTools:
    tools = KnownTools()
    tools.add([ToolSpec(name="refund", parameters={"properties": {"urgent": {"type": "boolean"}}})])
    return tools


EVERY = list(happened(CASE, TALK, known()))


@pytest.mark.parametrize("element", EVERY, ids=str)
def test_each_probe_lacks_its_element(element: Element):
    probes = list(without(element, TALK, known()))
    assert probes
    assert all(probe != TALK and len(probe.turns) == 2 for probe in probes)
    # A turn that fails keeps its line, and who reached a checkpoint is decided by judging.
    decided_later = element.group in (Group.INTERRUPT, Group.CHECKPOINT)
    assert decided_later or any(element not in happened(CASE, probe, known()) for probe in probes)


def probed(name: str) -> Transcript:
    element = next(one for one in EVERY if str(one) == name)
    return next(without(element, TALK, known()))


def test_only_the_outcome_changes():
    failed = probed("refund returned").turns[0].reply.calls
    assert (failed[0].result, failed[0].error) == (UNSET, "it failed")
    assert failed[1:] == REPLIES[0].calls[1:]


def test_results_that_came_late_are_changed_too():
    changed = probed("lookup returned")
    assert changed.turns[1].reply.late_results == (changed.turns[0].reply.calls[3],)
    assert changed.turns[0].reply.calls[3].error == "it failed"


def test_a_pair_changes_places_but_not_times():
    calls = probed("refund → mail seen").turns[0].reply.calls
    assert [(call.id, call.started_ms) for call in calls] == [("c", 1), ("a", 2), ("b", 3), ("late", 4)]


def test_an_agent_that_does_not_stop_fails_the_turn_that_answers():
    reply = probed("approve resolved").turns[1].reply
    assert reply.status is ExchangeStatus.INTERRUPTED
    assert "did not stop" in str(reply.error)
