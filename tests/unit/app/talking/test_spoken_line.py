import pytest

from vivavoce.app.talking.frames import GivenAnswer, Say
from vivavoce.app.talking.spoken_line import line_of
from vivavoce.model.case import CallOptions, ResumeAnswer
from vivavoce.model.message import AgentReply, Interrupt
from vivavoce.model.transcript import Line, Transcript, Turn

PAY = Interrupt(id="1", reason="approve_payment")
SHIP = Interrupt(id="2", tool_name="ship", reason="approve")
FLAGGED = Interrupt(
    id="3", schema={"type": "object", "properties": {"confirmed": {"type": "boolean"}}, "required": ["confirmed"]}
)


def after(*interrupts: Interrupt) -> Transcript:
    return Transcript(turns=(Turn(number=1, line=Line(content="pay"), reply=AgentReply(interrupts=interrupts)),))


def said(say: Say, transcript: Transcript) -> Line:
    return line_of(say, transcript, CallOptions())


def test_words_are_a_line_where_nothing_is_open():
    line = said(Say("hello"), Transcript())
    assert (line.content, line.source, line.resume) == ("hello", "interactive", ())


@pytest.mark.parametrize(
    ("kind", "payload"), [("approve", {"approved": True}), ("decline", {"approved": False})], ids=str
)
def test_a_decision_has_the_usual_form(kind: str, payload: dict[str, bool]):
    line = said(Say(answers=(GivenAnswer("1", kind),)), after(PAY))  # pyright: ignore[reportArgumentType]
    assert line.content == ""
    assert line.resume == (ResumeAnswer(reason="approve_payment", payload=payload),)


def test_a_decision_has_the_form_that_the_agent_asks_for():
    line = said(Say(answers=(GivenAnswer("3", "decline"),)), after(FLAGGED))
    assert line.resume == (ResumeAnswer(payload={"confirmed": False}),)


def test_each_answer_goes_to_its_interrupt_by_what_stays_the_same_the_next_time():
    answers = (GivenAnswer("2", "cancel"), GivenAnswer("1", "words", '{"amount": 5}'))
    line = said(Say(answers=answers), after(PAY, SHIP))
    assert line.resume == (
        ResumeAnswer(reason="approve_payment", payload={"amount": 5}),
        ResumeAnswer(tool="ship", cancelled=True),
    )


def test_interrupts_that_look_alike_are_told_apart_by_id():
    twins = (Interrupt(id="a", reason="same"), Interrupt(id="b", reason="same"))
    line = said(Say(answers=(GivenAnswer("a", "approve"), GivenAnswer("b", "decline"))), after(*twins))
    assert [answer.id for answer in line.resume] == ["a", "b"]


def test_words_answer_what_is_open():
    assert said(Say("next week"), after(PAY)).resume == (ResumeAnswer(reason="approve_payment", payload="next week"),)
