"""Questions of waiting tasks as real servers ask them, and the answers real servers took."""

import json
from typing import Any

import pytest
from tests.fakes.a2a_recordings import recordings_of

from vivavoce.model.case import ResumeAnswer
from vivavoce.targets.a2a.answer import answer_in
from vivavoce.targets.a2a.questions import Question
from vivavoce.targets.a2a.task_reading import TaskReading


def _asked(server: str, name: str) -> Question:
    reading = TaskReading()
    reading.take(json.loads(recordings_of(server)[name].answer)["result"], 0.0)
    (question,) = answer_in(reading).questions
    return question


def _parts(server: str, name: str) -> Any:
    return recordings_of(server)[name].asked["params"]["message"]["parts"]


def test_a_confirmation_of_adk_is_about_the_tool_it_confirms() -> None:
    question = _asked("adk-2.13.0-sdk-1.3.0", "rpc10.approval.4-ask-True")
    assert (question.interrupt.tool_name, question.interrupt.payload) == ("pay", {"amount": 10})
    assert (question.interrupt.message or "").startswith("Please approve or reject the tool call pay()")
    data, metadata = question.answer(ResumeAnswer(payload=True))
    (part,) = _parts("adk-2.13.0-sdk-1.3.0", "rpc10.approval.5-answer-True")
    assert {"data": data, "metadata": metadata} == part
    refused, _ = question.answer(ResumeAnswer(cancelled=True))
    (part,) = _parts("adk-2.13.0-sdk-1.3.0", "rpc10.approval.5-answer-False")
    assert isinstance(refused, dict)
    assert refused["response"] == part["data"]["response"]


@pytest.mark.parametrize(("said", "confirmed"), [("yes", True), ("OK.", True), ("no", False)])
def test_a_yes_or_no_confirms_a_tool_of_adk_or_does_not(said: str, confirmed: bool) -> None:
    question = _asked("adk-2.13.0-sdk-1.3.0", "rpc10.approval.4-ask-True")
    answered, _ = question.answer(ResumeAnswer(payload=said))
    assert isinstance(answered, dict)
    assert answered["response"] == {"confirmed": confirmed}


def test_a_long_running_tool_of_adk_is_answered_with_its_result() -> None:
    question = _asked("adk-2.13.0-sdk-1.3.0", "rpc10.ask.8")
    assert (question.interrupt.tool_name, question.interrupt.message) == ("ask_person", "Where to?")
    (part,) = _parts("adk-2.13.0-sdk-1.3.0", "rpc10.ask.9-answer-as-function-response")
    data, metadata = question.answer(ResumeAnswer(payload=part["data"]["response"]))
    assert {"data": data, "metadata": metadata} == part


def test_an_interrupt_of_strands_is_answered_by_its_id() -> None:
    question = _asked("strands-1.62.0", "rpc03.approval.4-ask")
    (part,) = _parts("strands-1.62.0", "rpc03.approval.5-answer")
    data, _ = question.answer(ResumeAnswer(payload="yes"))
    assert (question.interrupt.reason, data) == ("approval", part["data"])


@pytest.mark.parametrize("name", ["rpc10.ask.1", "rpc03.ask.1"])
def test_an_interrupt_of_langgraph_is_answered_in_words(name: str) -> None:
    question = _asked("langgraph-api-0.16.7", name)
    assert (question.interrupt.message, question.asked_by) == ("Where to?", "words")
    assert question.answer(ResumeAnswer(payload="Rome")) == ("Rome", {})


def test_a_question_in_words_takes_data_too() -> None:
    question = _asked("sdk-1.3.0", "rpc10.ask.1")
    assert (question.interrupt.message, question.asked_by) == ("Where to?", "words")
    assert question.answer(ResumeAnswer(payload={"city": "Rome"})) == ({"city": "Rome"}, {})
    assert question.answer(ResumeAnswer(cancelled=True)) == ("cancel", {})
