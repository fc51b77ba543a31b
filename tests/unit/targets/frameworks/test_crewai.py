"""CrewAI: what its recorded events mean, and where a Crew's words go."""

from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.message import Usage
from vivavoce.targets.frameworks.crewai import (
    Agent,
    CrewConversation,
    read_events,
    read_flow,
    read_result,
    text_fields,
)
from vivavoce.targets.frameworks.crewai import _added as added
from vivavoce.targets.frameworks.turn_record import TurnRecord


class Crew:
    def __init__(self, *names: str) -> None:
        self._names = set(names)

    def fetch_inputs(self) -> set[str]:
        return self._names

    def copy(self) -> "Crew":
        return self


def inputs(crew: Crew, words: str, **state: Any) -> object:
    return CrewConversation(crew, state)._inputs(words)


def test_a_failed_tool_has_the_error_of_its_event():
    [call] = said("crewai", "atlantis").calls
    assert call.error == "no such city"
    assert call.completed_ms is not None


def test_a_tool_that_is_not_there_failed():
    [call] = said("crewai", "pay").calls
    assert (call.name, call.error) == ("pay", "Tool not found")


def test_calls_of_a_run_that_raised_are_kept():
    [call] = said("crewai", "explode").calls
    assert (call.name, call.result) == ("get_weather", "21 degrees in Paris")


def test_structured_output_and_tokens_are_read():
    assert said("crewai", "invoice").data == {"number": 7, "total": 12.5}
    assert said("crewai", "both").usage == Usage(33, 15)


def test_a_result_alone_shows_the_calls_of_its_messages():
    call = {"id": "c1", "type": "function", "function": {"name": "pay", "arguments": '{"amount": 1}'}}
    messages = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "Error executing tool: no money", "tool_call_id": "c1", "name": "pay"},
    ]
    task = SimpleNamespace(messages=messages)
    seen = TurnRecord()
    read_result(SimpleNamespace(tasks_output=[task], pydantic=None, json_dict=None, raw="sorry"), seen)
    reply = seen.reply()
    assert reply.text == "sorry"
    assert [(call.args, call.error) for call in reply.calls] == [({"amount": 1}, "Error executing tool: no money")]


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"output": "21 degrees"}, None),
        ({"output": "Error executing tool: no such city"}, "Error executing tool: no such city"),
        ({"output": "None", "failure": SimpleNamespace(message="no such city")}, "no such city"),
        ({"output": "21 degrees", "failure": None}, None),
    ],
)
def test_a_finished_call_failed_if_its_failure_says_so_or_before_1_15_its_output(
    more: dict[str, Any], error: str | None
):
    at = datetime.now()
    began = SimpleNamespace(type="tool_usage_started", event_id="e", tool_name="pay", tool_args={}, timestamp=at)
    ended = SimpleNamespace(type="tool_usage_finished", started_event_id="e", tool_name="pay", timestamp=at, **more)
    seen = TurnRecord()
    read_events([began, ended], seen)
    [call] = seen.reply().calls
    assert call.error == error


def test_what_a_run_said_is_kept_also_where_crewai_joined_the_messages_it_was_given():
    given = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]
    answer = {"role": "assistant", "content": "d"}
    assert added([*given, answer], given) == [answer]
    assert added([{"role": "user", "content": "a b c"}, answer], given) == [answer], "before 1.15"
    assert added([given[0], answer], given[:1]) == [answer]


def test_words_go_into_the_placeholder_that_is_left():
    assert inputs(Crew("question"), "hi") == {"question": "hi"}
    assert inputs(Crew("question", "language"), "hi", language="en") == {"question": "hi", "language": "en"}
    assert inputs(Crew("question", "language"), '{"question": "hi", "language": "en"}') == {
        "question": "hi",
        "language": "en",
    }


def test_words_that_fit_no_single_placeholder_are_the_tests_mistake():
    with pytest.raises(CallFailed, match="the Crew wants language, question, and the line is one text") as caught:
        inputs(Crew("question", "language"), "hi")
    assert caught.value.fault == "test"


def test_a_crew_takes_one_line_and_needs_a_placeholder():
    assert "no memory" in Agent(Crew("question")).one_turn
    assert Agent(SimpleNamespace(role="Desk")).one_turn == ""
    with pytest.raises(UsageError, match="no placeholder that takes the user's words"):
        Agent(Crew())


def test_a_flow_takes_the_words_into_its_one_text():
    field = SimpleNamespace
    state = type("State", (), {"model_fields": {"id": field(annotation=str), "question": field(annotation=str)}})()
    assert text_fields(SimpleNamespace(state=state)) == ["question"]
    assert text_fields(SimpleNamespace(state={"id": "x"})) == []


@pytest.mark.parametrize(("out", "text"), [("hi", "hi"), ({"n": 1}, '{"n": 1}'), (None, "")])
def test_what_a_flow_returned_is_the_reply(out: Any, text: str):
    seen = TurnRecord()
    read_flow(out, seen)
    assert seen.reply().text.replace(" ", "") == text.replace(" ", "")
