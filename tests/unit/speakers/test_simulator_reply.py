"""Reading what a simulator answered."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import AgentReply, ExchangeStatus
from vivavoce.model.transcript import Ending, EndReason
from vivavoce.speakers.simulator_reply import SimulatorLine, read_simulator_reply


def line_of(reply: AgentReply | str) -> SimulatorLine:
    read = read_simulator_reply(AgentReply(text=reply) if isinstance(reply, str) else reply)
    assert isinstance(read, SimulatorLine), read
    return read


def blame_of(reply: AgentReply | str) -> str:
    read = read_simulator_reply(AgentReply(text=reply) if isinstance(reply, str) else reply)
    assert isinstance(read, Ending), read
    assert read.reason is EndReason.SIMULATOR_ERROR
    return read.detail


@pytest.mark.parametrize(
    "text",
    [
        '{"input": "The amount is $500", "goal_achieved": false}',
        '{"message": "The amount is $500"}',
        '{"input": "", "message": "The amount is $500"}',
        '```json\n{"input": "The amount is $500"}\n```',
        'Sure! {"input": "The amount is $500", "goal_achieved": false} Hope this helps.',
        "{'input': 'The amount is $500', 'goal_achieved': False,}",
        '[{"input": "The amount is $500"}]',
        '<think>hm, {"input": "no"}</think>{"input": "The amount is $500"}',
        '{"input": {"role": "user", "content": "The amount is $500"}}',
        '{"input": [{"type": "text", "text": "The amount is $500"}]}',
        "The amount is $500",
        "<think>what now</think>  The amount is $500\n",
    ],
)
def test_a_line_is_found_in_any_wrapping(text: str):
    assert line_of(text) == SimulatorLine(text="The amount is $500")


def test_structured_data_is_read_before_the_text():
    reply = AgentReply(text="ignored", data={"input": "hi", "goal_achieved": True, "reasoning": "done"})
    assert line_of(reply) == SimulatorLine(text="hi", goal_achieved=True, reasoning="done")


def test_data_that_holds_no_answer_does_not_hide_the_text():
    assert line_of(AgentReply(text="hi", data={"other": 1})).text == "hi"
    assert line_of(AgentReply(text="", data="hi")).text == "hi"


@pytest.mark.parametrize(
    ("value", "achieved"),
    [
        ("true", True),
        ('"true"', True),
        ('"Yes"', True),
        ("1", True),
        ("false", False),
        ('"false"', False),
        ("null", False),
    ],
)
def test_goal_achieved_is_read_tolerantly(value: str, achieved: bool):
    assert line_of(f'{{"input": "bye", "goal_achieved": {value}}}').goal_achieved is achieved


def test_a_number_is_a_line():
    assert line_of('{"input": 500}').text == "500"


def test_an_achieved_goal_needs_no_line():
    read = line_of('{"goal_achieved": true, "reasoning": "Expense submitted"}')
    assert read == SimulatorLine(text="", goal_achieved=True, reasoning="Expense submitted")


@pytest.mark.parametrize(
    "text",
    [
        '{"input": ""}',
        '{"message": "  ", "goal_achieved": false}',
        '{"goal_achieved": false}',
        '{"goal_achieved": null}',
        '{"input": null}',
        '{"input": true}',
        '{"answer": "hello"}',
        "[1, 2]",
        '```json\n{"answer": "hello"}\n```',
        '{"inp',
    ],
)
def test_json_without_a_line_is_a_simulator_error_that_quotes_it(text: str):
    detail = blame_of(text)
    assert "no line" in detail
    assert ":" in detail.removeprefix("its JSON has no line")


def test_an_error_quotes_no_more_than_fits():
    assert len(blame_of('{"answer": "' + "x" * 5000 + '"}')) < 300


@pytest.mark.parametrize("text", ["", "  \n", "<think>only this</think>", "<think>cut off in the mid"])
def test_nothing_is_a_simulator_error(text: str):
    assert "gave no line" in blame_of(text)


def test_unknown_data_and_no_text_is_quoted():
    assert blame_of(AgentReply(data={"answer": 1})) == 'it gave no line: {"answer":1}'


@pytest.mark.parametrize(
    "text",
    [
        'Please store {"a": 1} for me',
        '{"a": 1} is what I mean',
        "[shrugs] I do not know",
        "{name} is a placeholder",
        'Why does this fail?\n```json\n{"a": 1}\n```',
    ],
)
def test_json_inside_a_users_words_is_part_of_the_line(text: str):
    assert line_of(text).text == text


def test_a_call_that_went_wrong_is_no_line():
    assert blame_of(AgentReply(text="partial", status=ExchangeStatus.ERROR, error="boom")) == "boom"
    assert blame_of(AgentReply(status=ExchangeStatus.TRUNCATED)) == "the call ended with status truncated"


@pytest.mark.parametrize(
    ("resume", "answers"),
    [
        ({"payload": {"approved": True}}, (ResumeAnswer(payload={"approved": True}),)),
        ({"cancelled": True}, (ResumeAnswer(cancelled=True),)),
        ([{"id": "a", "payload": 1}, {"id": "b", "cancelled": True}],
         (ResumeAnswer(id="a", payload=1), ResumeAnswer(id="b", cancelled=True))),
        ({"approved": True}, (ResumeAnswer(payload={"approved": True}),)),
        ({"id": 7}, (ResumeAnswer(payload={"id": 7}),)),
        (False, (ResumeAnswer(payload=False),)),
        ([1, 2], (ResumeAnswer(payload=[1, 2]),)),
    ],
)  # fmt: skip
def test_an_interrupt_is_answered_by_resume(resume: Any, answers: tuple[ResumeAnswer, ...]):
    assert line_of(AgentReply(data={"resume": resume})).resume == answers


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["input", "message", "goal_achieved", "reasoning", "resume", "id", "payload", "x"]),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@given(text=st.text(max_size=200) | st.text('{}[]":,`inputmesagol_ch \n', max_size=200), data=json_values)
def test_reading_never_raises_and_never_invents_an_empty_line(text: str, data: Any):
    for reply in (AgentReply(text=text), AgentReply(text=text, data=data)):
        read = read_simulator_reply(reply)
        if isinstance(read, SimulatorLine):
            assert read.text or read.goal_achieved or read.resume
        else:
            assert read.detail


def test_a_quoted_goal_is_not_achieved():
    told = blame_of('The agent said {"goal_achieved": true}. {"input": "go on", "goal_achieved": false}')
    assert told.startswith("it contradicts itself about goal_achieved: ")


QUOTED = ['{"goal_achieved": true}', '{"goal_achieved": true, "input": "bye"}', '{"message": "bye"}']


@given(st.sampled_from(QUOTED), st.sampled_from(["You said ", "Is "]), st.sampled_from([", why?", " right? Tell me."]))
def test_what_the_agent_said_is_a_line_where_the_user_quotes_it(quoted: str, before: str, after: str):
    text = f"{before}{quoted}{after}"
    read = read_simulator_reply(AgentReply(text=text), heard=f"Done: {quoted}")
    assert read == SimulatorLine(text=text)
    # The same words are no quotation where nobody said them.
    assert read_simulator_reply(AgentReply(text=text)) != SimulatorLine(text=text)
    assert read_simulator_reply(AgentReply(text=quoted), heard=quoted) != SimulatorLine(text=quoted)
