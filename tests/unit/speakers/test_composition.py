"""Which speaker takes the next turn, and what happens when none is left."""

import pytest
from tests.unit.speakers.talk import COMPLETE, simulated, talk, turn

from vivavoce.model.case import OnMissingInput
from vivavoce.model.transcript import Ending, EndReason, Line, Transcript
from vivavoce.speakers.composition import FirstOf, MissingInput, WhenAwaiting


class Says:
    """A speaker with one thing to say, and a count of how often it was asked."""

    def __init__(self, word: Line | Ending | None) -> None:
        self._word = word
        self.asked = 0

    async def next_line(self, transcript: Transcript) -> Line | Ending | None:
        self.asked += 1
        return self._word


HELLO = Line(content="hello")


async def test_the_first_with_something_to_say_speaks_and_the_others_are_not_asked():
    silent, speaking, other = Says(None), Says(HELLO), Says(Line(content="other"))
    assert await FirstOf(silent, speaking, other).next_line(talk()) is HELLO
    assert (silent.asked, speaking.asked, other.asked) == (1, 1, 0)


async def test_an_ending_is_something_to_say():
    ending = Ending(EndReason.GOAL_ACHIEVED)
    assert await FirstOf(Says(ending), Says(HELLO)).next_line(talk()) is ending


async def test_when_nobody_has_anything_to_say_the_conversation_is_complete():
    assert await FirstOf(Says(None)).next_line(talk()) == Ending(EndReason.COMPLETED)
    assert await FirstOf().next_line(talk()) == Ending(EndReason.COMPLETED)


async def test_an_agent_that_waits_is_answered():
    assert await WhenAwaiting(Says(HELLO)).next_line(talk(turn())) is HELLO


async def test_the_conversation_may_be_opened_without_being_asked():
    assert await WhenAwaiting(Says(HELLO)).next_line(talk()) is HELLO


async def test_an_agent_that_waits_for_nothing_has_completed_and_nobody_is_asked():
    inner = Says(HELLO)
    ending = await WhenAwaiting(inner).next_line(talk(turn("Hi", "Done.", COMPLETE)))
    assert ending == Ending(EndReason.COMPLETED, "completed")
    assert inner.asked == 0


async def test_after_the_simulators_last_line_it_still_ends_the_conversation_itself():
    achieved = Ending(EndReason.GOAL_ACHIEVED, "booked")
    last = turn(simulated("bye", goal_achieved=True), "Bye.", COMPLETE)
    assert await WhenAwaiting(Says(achieved)).next_line(talk(last)) is achieved


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        ("skip", EndReason.MISSING_INPUT_SKIP),
        ("fail", EndReason.MISSING_INPUT_FAIL),
        ("end", EndReason.COMPLETED),
    ],
)
async def test_a_question_nobody_answers_ends_as_the_policy_says(policy: OnMissingInput, reason: EndReason):
    ending = await MissingInput(policy).next_line(talk(turn("Submit it", "Please provide PO number.")))
    assert ending == Ending(reason, "Agent awaiting input, no next turn defined")


@pytest.mark.parametrize("policy", ["skip", "fail", "end"])
async def test_no_input_is_missing_when_the_agent_waits_for_none(policy: OnMissingInput):
    ending = await MissingInput(policy).next_line(talk(turn("Hi", "Done.", COMPLETE)))
    assert ending == Ending(EndReason.COMPLETED, "completed")


@pytest.mark.parametrize("policy", ["skip", "fail", "end"])
async def test_a_conversation_that_nobody_opens_fails(policy: OnMissingInput):
    assert await MissingInput(policy).next_line(talk()) == Ending(EndReason.MISSING_INPUT_FAIL, "no initial input")
