"""What a conversation exercised."""

from vivavoce.insight.coverage.happenings import happened, interrupts_met, possible
from vivavoce.insight.coverage.known_tools import KnownTools
from vivavoce.model.agent_card import ToolSpec
from vivavoce.model.case import AssertionSpec, Case, Checkpoint, Origin, ResumeAnswer
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import AgentReply, Interrupt, ToolCall
from vivavoce.model.transcript import Line, Transcript, Turn

CASE = Case(
    id="T1",
    origin=Origin("a.yaml"),
    checkpoints=(Checkpoint(id="asked", assertions=(AssertionSpec(type="contains"),)),),
)


def talk(*turns: tuple[Line, AgentReply], reached: tuple[str, ...] = ()) -> Transcript:
    numbered = enumerate(turns, 1)
    return Transcript(
        turns=tuple(Turn(number=at, line=line, reply=reply, reached=reached) for at, (line, reply) in numbered)
    )


def said(reply: AgentReply, line: Line | None = None, reached: tuple[str, ...] = ()) -> list[str]:
    tools = KnownTools()
    tools.add([ToolSpec(name="refund", parameters={"properties": {"urgent": {"type": "boolean"}}})])
    transcript = talk((line or Line(content="hi"), reply), reached=reached)
    return list(map(str, happened(CASE, transcript, tools)))


def test_outcomes_parameters_and_values_of_calls():
    reply = AgentReply(
        calls=(
            ToolCall(name="refund", args={"urgent": True, "note": "x"}, result=None),
            ToolCall(name="refund", args={"urgent": "yes"}, error="no"),
            ToolCall(name="search", args="not json"),
        )
    )
    assert said(reply) == [
        "refund called",
        "refund returned",
        "refund.urgent given",
        "refund.urgent = true",
        "refund.note given",
        "refund failed",
        "search called",
        "refund → refund seen",
        "refund → search seen",
    ]


def test_checkpoints_finish_reasons_and_hand_offs():
    trace: list[JsonObject] = [
        {"type": "HANDOFF", "to": "billing", "from": "desk"},
        {"type": "hand_off", "to": "desk", "by": None},
        {},
    ]
    found = said(AgentReply(finish_reason="length", trace=tuple(trace)), reached=("asked",))
    assert found == ["a.yaml::T1 › asked reached", "length seen", "desk → billing seen", "? → desk seen"]
    assert list(map(str, possible(CASE))) == ["a.yaml::T1 › asked reached"]


def test_interrupts_are_named_by_what_was_asked_and_how_it_was_answered():
    asked = AgentReply(interrupts=(Interrupt(id="i", reason="approve"), Interrupt(id="j", tool_name="pay")))
    answers = (ResumeAnswer(reason="approve"), ResumeAnswer(tool="pay", cancelled=True))
    transcript = talk((Line(content="buy"), asked), (Line(content="", resume=answers), AgentReply()))
    assert list(map(str, happened(CASE, transcript, KnownTools()))) == ["approve resolved", "pay cancelled"]
    assert set(interrupts_met(transcript)) == {"approve", "pay"}


def test_an_interrupt_answered_in_its_own_turn_is_named_by_its_answer():
    assert said(AgentReply(), Line(content="buy", resume=(ResumeAnswer(reason="approve"),))) == ["approve resolved"]


def test_an_interrupt_answered_in_words():
    asked = AgentReply(interrupts=(Interrupt(id="i", reason="approve"),))
    lines = (Line(content="buy"), asked), (Line(content="Cancel."), asked), (Line(content="yes"), AgentReply())
    assert list(map(str, happened(CASE, talk(*lines), KnownTools()))) == ["approve cancelled", "approve resolved"]
