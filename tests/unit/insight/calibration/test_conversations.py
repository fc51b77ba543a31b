"""A conversation is known by what was said and done, not by when."""

from msgspec import structs
from tests.fakes.results import plain

from vivavoce.insight.calibration.conversations import conversations, digest_of
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import Line, Transcript, Turn


def talk(answer: str = "yes", call_id: str = "1", amount: int = 5, duration: float = 1.0) -> Transcript:
    call = ToolCall(id=call_id, name="pay", args={"amount": amount}, result="ok")
    reply = AgentReply(text=answer, calls=(call,))
    return Transcript(turns=(Turn(number=1, line=Line(content="pay"), reply=reply, started_ms=duration),))


def test_ids_and_times_do_not_count():
    assert digest_of(talk()) == digest_of(talk(call_id="2", duration=9.0))


def test_words_and_arguments_do():
    assert len({digest_of(talk()), digest_of(talk("no")), digest_of(talk(amount=6))}) == 3


def test_every_attempt_in_which_something_was_said_is_one():
    silent = Attempt(status=Status.SKIPPED)
    result = structs.replace(plain("A"), attempts=(Attempt(status=Status.PASSED, transcript=talk()), silent))
    assert [one.digest for one in conversations([result])] == [digest_of(talk())]
