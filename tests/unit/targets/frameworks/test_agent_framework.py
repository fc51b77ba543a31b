"""Microsoft Agent Framework: what its recorded responses mean."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.errors import CallFailed
from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import Interrupt, Usage
from vivavoce.targets.frameworks.agent_framework import Agent, read_noted, read_result
from vivavoce.targets.frameworks.framework import Opening
from vivavoce.targets.frameworks.turn_record import TurnRecord
from vivavoce.targets.resume_answers import Resumption


def response(*contents: Any) -> SimpleNamespace:
    message = SimpleNamespace(role="assistant", contents=contents, text="ok")
    return SimpleNamespace(messages=[message], user_input_requests=[], value=None, usage_details=None)


def test_the_error_of_a_call_is_its_exception():
    [call] = said("agent-framework", "atlantis").calls
    assert call.error == "no such city"


def test_calls_of_a_run_that_raised_are_kept():
    [call] = said("agent-framework", "explode").calls
    assert (call.name, call.args, call.result) == ("get_weather", {"city": "Paris"}, "21 degrees in Paris")
    assert call.completed_ms is not None


def test_an_approval_is_asked_for_and_its_result_comes_late():
    [asked] = said("agent-framework", "pay").interrupts
    assert (asked.reason, asked.tool_name) == ("function_approval_request", "pay")
    [late] = said("agent-framework", "resume").late_results
    assert (late.name, late.result) == ("pay", "paid 10")


def test_structured_output_and_tokens_are_read():
    assert said("agent-framework", "invoice").data == {"number": 7, "total": 12.5}
    assert said("agent-framework", "both").usage == Usage(33, 15)


def test_tools_that_the_provider_runs_are_unread():
    seen = TurnRecord()
    read_result(response(SimpleNamespace(type="shell_tool_call"), SimpleNamespace(type="text")), seen)
    reply = seen.reply()
    assert [piece.where for piece in reply.unread] == ["a content of type shell_tool_call"]
    assert (reply.text, reply.usage) == ("ok", None)


def test_a_noted_call_that_never_came_back_has_no_result():
    seen = TurnRecord()
    read_noted([{"name": "pay", "args": {}, "started_ms": 1.0}], seen)
    [call] = seen.reply().calls
    assert not call.is_answered


async def test_a_request_that_is_no_approval_cannot_be_answered():
    talk = Agent(SimpleNamespace(create_session=object)).open(Opening(context=None))  # pyright: ignore
    answer = Resumption(interrupt=Interrupt(id="o", reason="oauth_consent_request"), answer=ResumeAnswer(payload=True))
    with pytest.raises(CallFailed, match="cannot answer a oauth_consent_request"):
        await talk.resume([answer], TurnRecord())
