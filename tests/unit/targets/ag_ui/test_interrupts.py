"""What an agent stopped for, and which of the test's answers it gets."""

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import Interrupt, ToolCall
from vivavoce.targets.ag_ui.call_book import CallBook
from vivavoce.targets.ag_ui.interrupts import (
    TurnResume,
    is_confirmation,
    is_legacy,
    legacy_command,
    on_the_wire,
    read_interrupt,
    read_legacy_interrupt,
)
from vivavoce.targets.resume_answers import Resumption

YES = Resumption(interrupt=Interrupt(id="i1"), answer=ResumeAnswer(payload={"approved": True}))
CANCELLED = Resumption(interrupt=Interrupt(id="i2"), answer=ResumeAnswer(cancelled=True))


def test_an_answer_goes_out_as_the_protocol_wants_it():
    assert on_the_wire(YES) == {"interruptId": "i1", "status": "resolved", "payload": {"approved": True}}
    assert on_the_wire(CANCELLED) == {"interruptId": "i2", "status": "cancelled"}


def test_langgraph_of_old_takes_one_payload_or_a_list():
    assert legacy_command([YES]) == {"resume": {"approved": True}}
    assert legacy_command([YES, CANCELLED]) == {"resume": [{"approved": True}, {"cancelled": True}]}


def test_an_interrupt_is_read_with_what_it_asks():
    told = {
        "id": "i1",
        "reason": "approval",
        "message": "Pay?",
        "toolCallId": "c1",
        "responseSchema": {"type": "object"},
    }
    found = read_interrupt(told, CallBook({}))
    assert (found.id, found.reason, found.message, found.tool_call_id) == ("i1", "approval", "Pay?", "c1")
    assert found.schema == {"type": "object"}
    assert read_interrupt("nonsense", CallBook({})).id == ""


def test_an_interrupt_of_old_is_what_the_graph_passed():
    first, second = read_legacy_interrupt("Pay?", 1), read_legacy_interrupt('{"message": "Sure?"}', 2)
    assert (first.message, second.message) == ("Pay?", "Sure?")
    assert first.id != second.id
    assert is_legacy(Resumption(interrupt=second, answer=ResumeAnswer()))
    assert not is_legacy(YES)


def test_a_call_that_was_not_advertised_is_answered_only_when_it_is_named():
    call = ToolCall(id="c1", name="pay", args={})
    assert TurnResume((ResumeAnswer(payload=True),)).for_calls([call]) == []
    named = ResumeAnswer(tool="pay", payload=True)
    assert TurnResume((named,)).for_calls([call]) == [(call, named)]


def test_a_made_up_confirmation_takes_the_answer_of_its_tool():
    asking = ToolCall(
        id="c2",
        name="adk_request_confirmation",
        args={"originalFunctionCall": {"name": "pay", "args": {}}, "toolConfirmation": {}},
    )
    assert is_confirmation(asking)
    answer = ResumeAnswer(tool="pay", payload=True)
    resume = TurnResume((answer,))
    assert resume.for_calls([ToolCall(id="c1", name="pay", args={}), asking]) == [(asking, answer)]
    assert resume.for_calls([asking]) == [], "an answer is used once"
