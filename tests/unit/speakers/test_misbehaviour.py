"""A simulator that does not play its part."""

import pytest
from tests.unit.speakers.talk import simulated, talk, turn

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.transcript import Line
from vivavoce.speakers.misbehaviour import misbehaviour


def test_the_third_time_is_a_loop_whatever_case_and_punctuation():
    before = talk(turn(simulated("I want a refund.")), turn(simulated("i want  a refund!")))
    assert misbehaviour(simulated("I want a refund"), before) == "it said the same thing 3 times: “I want a refund”"


def test_a_loop_of_signs_is_a_loop_too():
    before = talk(turn(simulated("👍")), turn(simulated("👍")))
    assert misbehaviour(simulated("👍"), before) is not None
    assert misbehaviour(simulated("🙂"), before) is None


def test_twice_is_no_loop_nor_is_three_times_with_something_between():
    yes, other = turn(simulated("yes")), turn(simulated("no"))
    assert misbehaviour(simulated("yes"), talk(yes)) is None
    assert misbehaviour(simulated("yes"), talk(yes, yes, other)) is None
    assert misbehaviour(simulated("yes"), talk(other, yes)) is None


def test_what_the_script_said_is_not_the_simulators_doing():
    before = talk(turn(Line(content="yes")), turn(simulated("yes")))
    assert misbehaviour(simulated("yes"), before) is None


def test_different_answers_to_interrupts_are_different_lines():
    def answer(payload: int) -> Line:
        return simulated("", resume=(ResumeAnswer(payload=payload),))

    before = talk(turn(answer(1)), turn(answer(1)))
    assert misbehaviour(answer(2), before) is None
    assert misbehaviour(answer(1), before) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Assistant: your expense was created.",
        "**Assistant:** your expense was created.",
        "AI: done",
        "As an AI language model, I cannot travel.",
        "as an AI, I have no expenses",
        "How can I help you today?",
        "Hello! How can I assist you today?",
        "Hi there! How may I help you?",
    ],
)
def test_speaking_as_the_assistant_is_noticed(text: str):
    assert "as the assistant instead of the user" in (misbehaviour(simulated(text), talk()) or "")


@pytest.mark.parametrize(
    "text",
    [
        "My assistant: she booked it.",
        "As an accountant, I need the receipt.",
        "As an air traveller, I want a refund",
        "How can I help you find my order? The number is 12.",
        "How can I get a refund?",
        "Aid: 12",
        "Hello! I want to submit an expense.",
        "Are you an AI assistant, or a person?",
    ],
)
def test_a_users_words_are_left_alone(text: str):
    assert misbehaviour(simulated(text), talk()) is None


def test_the_agents_own_words_come_back_only_from_an_assistant():
    said = "What type of expense would you like to submit?"
    before = talk(turn("Hi", said))
    for copy in (
        said,
        "what type of expense would you like to submit",
        "What type of expense would you like to submit??",
    ):
        assert "repeating the agent's own words" in (misbehaviour(simulated(copy), before) or "")
    assert "repeating" in (misbehaviour(simulated("What type of expenses would you like to submit?"), before) or "")


def test_a_short_line_may_be_the_same_on_both_sides():
    assert misbehaviour(simulated("Hello!"), talk(turn("Hi", "Hello!"))) is None
    assert misbehaviour(simulated("Yes, that is right"), talk(turn("Hi", "Yes, that is right"))) is None


def test_a_line_as_long_as_the_reply_may_still_be_another():
    before = talk(turn("Hi", "Do you want to fly to Beijing on Monday or on Tuesday?"))
    assert misbehaviour(simulated("I do want to fly to Beijing, on Wednesday, if I may!"), before) is None
