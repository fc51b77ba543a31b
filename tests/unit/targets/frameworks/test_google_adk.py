"""Google ADK: what its recorded events mean."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import ExchangeStatus
from vivavoce.targets.frameworks.google_adk import _answer, read_result, read_structured
from vivavoce.targets.frameworks.turn_record import TurnRecord
from vivavoce.targets.resume_answers import Resumption


def event(**fields: Any) -> SimpleNamespace:
    told = {"partial": False, "content": None, "long_running_tool_ids": None, "author": "desk"}
    return SimpleNamespace(**{**told, "usage_metadata": None, "error_code": None, "error_message": None, **fields})


def part(**fields: Any) -> SimpleNamespace:
    return SimpleNamespace(
        **{"text": None, "thought": None, "function_call": None, "function_response": None, **fields}
    )


def test_a_confirmation_is_asked_for_about_the_tool_itself():
    reply = said("google-adk", "pay")
    [asked] = reply.interrupts
    assert (asked.reason, asked.tool_name) == ("adk_request_confirmation", "pay")
    assert [call.name for call in reply.calls] == ["pay"]
    [late] = said("google-adk", "resume").late_results
    assert (late.name, late.result, late.error) == ("pay", "paid 10", None)
    assert _answer(Resumption(interrupt=asked, answer=ResumeAnswer(payload={"approved": False}))) == {
        "confirmed": False
    }


@pytest.mark.parametrize(("payload", "sent"), [({"city": "Rome"}, {"city": "Rome"}), ("Rome", {"result": "Rome"})])
def test_a_long_running_tool_is_answered_with_its_result(payload: Any, sent: Any):
    call = SimpleNamespace(id="c1", name="ask", args={})
    seen = TurnRecord()
    content = SimpleNamespace(parts=[part(function_call=call)])
    read_result(event(content=content, long_running_tool_ids={"c1"}), seen)
    [asked] = seen.interrupts
    assert (asked.tool_name, asked.tool_call_id) == ("ask", "c1")
    assert _answer(Resumption(interrupt=asked, answer=ResumeAnswer(payload=payload))) == sent


def test_partial_events_and_thoughts_say_nothing():
    seen = TurnRecord()
    read_result(event(partial=True, content=SimpleNamespace(parts=[part(text="hal")])), seen)
    read_result(event(content=SimpleNamespace(parts=[part(text="hm", thought=True), part(text="hello")])), seen)
    assert (seen.reply().text, seen.reply().texts) == ("hello", ())


def test_a_model_s_error_is_an_error():
    seen = TurnRecord()
    read_result(event(error_code="SAFETY", error_message="blocked"), seen)
    assert (seen.reply().status, seen.reply().error) == (ExchangeStatus.ERROR, "SAFETY: blocked")


def test_a_response_that_is_only_an_error_is_one():
    seen = TurnRecord()
    for response in ({"error": "no"}, {"result": 7}, {"error": "no", "more": 1}):
        told = SimpleNamespace(id="", name="ask", response=response)
        read_result(event(content=SimpleNamespace(parts=[part(function_response=told)])), seen)
    assert [(call.error, call.is_answered) for call in seen.reply().calls] == [("no", True), (None, True), (None, True)]


def test_words_that_are_no_json_stay_words():
    seen = TurnRecord()
    read_structured("sorry", seen)
    assert seen.reply().output == ""
    read_structured('{"number": 7}', seen)
    assert seen.reply().output == {"number": 7}
