"""Replies that were made of answers from which a secret was struck out."""

from vivavoce.model.message import AgentReply
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.struck_watch import STRUCK_OUT, StruckWatch
from vivavoce.sight.tapes.tape_lines import Entry


async def doubts(*answered: Entry) -> tuple[str, ...]:
    tape = AttemptTape("case", 1, normaliser=Normaliser())
    tape.answered.extend(answered)
    reply = await StruckWatch(tape).end_turn(2, AgentReply(text="hi"), 0.0, 0.0)
    return tuple(str(piece) for piece in reply.unread)


async def test_a_struck_answer_is_doubt_in_its_turn_and_all_later_ones():
    assert await doubts(Entry(case="case", turn=1, struck=True), Entry(case="case", turn=2)) == (str(STRUCK_OUT),)


async def test_an_answer_as_it_came_is_none():
    assert await doubts(Entry(case="case", turn=1)) == ()


async def test_what_a_judge_was_told_is_none():
    assert await doubts(Entry(case="case", turn=1, struck=True, judge=True)) == ()
