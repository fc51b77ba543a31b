"""One reply, or one call, of a conversation changed."""

from msgspec import structs

from vivavoce.insight.mutants.mutant import with_call, with_reply
from vivavoce.model.message import AgentReply, Message, ToolCall
from vivavoce.model.transcript import Line, Transcript, Turn

FIND, PAY = ToolCall(id="f", name="find"), ToolCall(id="p", name="pay", result="ok")
OTHER = structs.replace(PAY, name="other")
SAID = (Message(role="assistant", content="paid"),)
ASKED = Turn(number=1, line=Line(content="pay"), reply=AgentReply(calls=(FIND, PAY), messages=SAID))
ANSWERED = Turn(number=2, line=Line(content="yes"), reply=AgentReply(text="done", late_results=(PAY,), messages=SAID))
TALK = Transcript(turns=(ASKED, ANSWERED))


def test_only_the_reply_in_question_changes_and_loses_the_messages_that_tell_the_old_story():
    changed = with_reply(TALK, 2, lambda reply: structs.replace(reply, text="no"))
    assert changed.turns[0] == ASKED
    assert (changed.turns[1].reply.text, changed.turns[1].reply.messages) == ("no", ())


def test_a_call_changes_where_it_was_made_and_where_its_result_came():
    first, second = with_call(TALK, 1, 1, OTHER).turns
    assert (first.reply.calls, second.reply.late_results) == ((FIND, OTHER), (OTHER,))
    first, second = with_call(TALK, 1, 1).turns
    assert (first.reply.calls, second.reply.late_results) == ((FIND,), ())
    first, second = with_call(TALK, 1, 1, PAY, OTHER).turns
    assert (first.reply.calls, second.reply.late_results) == ((FIND, PAY, OTHER), (PAY, OTHER))


def test_a_turn_that_knows_nothing_of_the_call_stays_as_it_was():
    assert with_call(TALK, 1, 0).turns[1] == ANSWERED
