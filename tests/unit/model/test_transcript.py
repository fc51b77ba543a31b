"""A conversation as it grows: what the agent is shown next, and results that come late."""

from vivavoce.model.message import AgentReply, Message, ToolCall
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript, Turn
from vivavoce.model.verdict import broken, failed, passed


def turn(number: int, said: str, reply: AgentReply) -> Turn:
    return Turn(number=number, line=Line(content=said), reply=reply)


def test_every_step_builds_a_new_transcript():
    empty = Transcript()
    one = empty.plus(turn(1, "hi", AgentReply(text="hello")))
    assert (empty.last, len(one.turns)) == (None, 1)
    ended = one.ended(Ending(EndReason.COMPLETED))
    assert (one.ending, ended.ending) == (None, Ending(EndReason.COMPLETED))
    assert ended.turns == one.turns


def test_the_agent_is_shown_the_history_the_turns_and_the_new_line():
    before = Message(role="system", content="be kind")
    call = ToolCall(id="1", name="pay", result="ok")
    talk = Transcript(history=(before,)).plus(turn(1, "pay", AgentReply(text="done", calls=(call,))))
    shown = talk.messages(Line(content="thanks", name="ada"))
    assert [message.role for message in shown] == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert [message.text for message in shown] == ["be kind", "pay", "", "ok", "done", "thanks"]
    assert shown[-1].name == "ada"


def test_an_empty_line_is_no_message():
    talk = Transcript().plus(turn(1, "", AgentReply(text="go on")))
    assert [message.role for message in talk.messages(Line(content=""))] == ["assistant"]


def test_a_reply_that_brings_its_own_messages_adds_those():
    own = (Message(role="assistant", content="one"), Message(role="assistant", content="two"))
    talk = Transcript().plus(turn(1, "hi", AgentReply(text="two", messages=own)))
    assert [message.text for message in talk.messages()] == ["hi", "one", "two"]


def test_a_late_result_is_put_into_the_turn_of_its_call():
    asked = turn(1, "pay", AgentReply(calls=(ToolCall(id="1", name="pay"), ToolCall(id="2", name="ship"))))
    late = ToolCall(id="1", name="pay", result="paid")
    talk = Transcript().plus(asked).plus(turn(2, "well?", AgentReply(text="done", late_results=(late,))))
    assert [call.result for call in talk.turns[0].reply.calls if call.id == "1"] == ["paid"]
    assert talk.turns[0].reply.calls[1] == asked.reply.calls[1]
    assert talk.turns[1].reply.calls == ()


def test_a_turn_fails_by_its_own_error_or_a_failed_check_and_not_by_a_broken_one():
    good = turn(1, "hi", AgentReply(text="x"))
    assert not good.failed
    for verdicts, fails in [((passed(),), False), ((broken("judge gone"),), False), ((passed(), failed("no")), True)]:
        assert Turn(number=1, line=good.line, reply=good.reply, verdicts=verdicts).failed is fails
    assert Turn(number=1, line=good.line, reply=good.reply, error="the stream broke").failed


def test_a_turn_lasts_from_its_line_to_its_reply():
    assert Turn(number=1, line=Line(content=""), reply=AgentReply(), started_ms=100, ended_ms=350).duration_ms == 250
