"""agno: what its recorded runs mean, and how its pauses are answered."""

from types import SimpleNamespace

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.errors import CallFailed
from vivavoce.model.case import ResumeAnswer
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import ExchangeStatus, Interrupt, Usage
from vivavoce.targets.frameworks.agno import _answer
from vivavoce.targets.resume_answers import Resumption


def test_a_failed_tool_has_an_error():
    [call] = said("agno", "atlantis").calls
    assert call.error == "no such city"


def test_a_run_of_status_error_failed_and_its_messages_show_the_calls():
    reply = said("agno", "explode")
    assert (reply.status, reply.error, reply.text) == (ExchangeStatus.ERROR, "the model is gone", "")
    [call] = reply.calls
    assert (call.name, call.args, call.result) == ("get_weather", {"city": "Paris"}, "21 degrees in Paris")


def test_a_confirmation_is_asked_for_and_its_result_comes_late():
    reply = said("agno", "pay")
    [asked] = reply.interrupts
    assert (asked.reason, asked.tool_name, asked.payload) == ("confirmation", "pay", {"amount": 10})
    assert reply.text == ""
    [late] = said("agno", "resume").late_results
    assert (late.name, late.result) == ("pay", "paid 10")


def test_structured_output_and_tokens_are_read():
    assert said("agno", "invoice").data == {"number": 7, "total": 12.5}
    assert said("agno", "both").usage == Usage(33, 15)


class Requirement(SimpleNamespace):
    def __getattr__(self, name: str):
        return lambda *given: self.__dict__.setdefault("done", []).append((name, *given))


@pytest.mark.parametrize(
    ("kind", "payload", "done"),
    [
        ("confirmation", {"approved": True}, ("confirm",)),
        ("confirmation", {"approved": False, "reason": "too much"}, ("reject", "too much")),
        ("external_execution", "12 files", ("set_external_execution_result", "12 files")),
        ("user_input", {"to": "Ada"}, ("provide_user_input", {"to": "Ada"})),
        ("user_feedback", {"Which?": ["a"]}, ("provide_user_feedback", {"Which?": ["a"]})),
    ],
)
def test_each_kind_of_pause_gets_its_answer(kind: str, payload: JsonValue, done: tuple[object, ...]):
    requirement = Requirement()
    interrupt = Interrupt(id="r", reason=kind, tool_name="pay")
    _answer(requirement, Resumption(interrupt=interrupt, answer=ResumeAnswer(payload=payload)))
    assert requirement.done == [done]


def test_input_without_names_is_refused():
    interrupt = Interrupt(id="r", reason="user_input", tool_name="mail")
    with pytest.raises(CallFailed, match="mail wants values by name"):
        _answer(Requirement(), Resumption(interrupt=interrupt, answer=ResumeAnswer(payload="Ada")))
