"""AutoGen: what its recorded messages mean, and which objects are shared."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.targets.frameworks.test_recorded_objects import said

from vivavoce.errors import CallFailed
from vivavoce.model.message import Usage
from vivavoce.protocols import CallContext
from vivavoce.targets.frameworks.autogen import Agent, read_message, read_result
from vivavoce.targets.frameworks.framework import Opening
from vivavoce.targets.frameworks.turn_record import TurnRecord

OPENING = Opening(context=CallContext(session_id="s"))


class BaseChatAgent:
    async def save_state(self) -> None: ...


class Parrot(BaseChatAgent):
    pass


class Keeper(BaseChatAgent):
    async def save_state(self) -> None: ...


class Assistant(Keeper):
    def __init__(self) -> None:
        self._model_context = ["system"]


def message(kind: str, **fields: Any) -> Any:
    made = type(kind, (SimpleNamespace,), {"to_text": lambda self: str(self.content)})
    return made(**{"models_usage": None, "source": "desk", "content": "", **fields})


def test_a_failed_tool_has_an_error():
    [call] = said("autogen", "atlantis").calls
    assert call.error == "no such city"


def test_calls_of_a_run_that_raised_are_kept():
    [call] = said("autogen", "explode").calls
    assert (call.name, call.result) == ("get_weather", "21 degrees in Paris")


def test_structured_output_and_tokens_are_read():
    assert said("autogen", "invoice").data == {"number": 7, "total": 12.5}
    assert said("autogen", "both").usage == Usage(33, 15)


def test_what_the_user_said_is_no_reply_and_a_structured_message_counts_at_the_end_only():
    seen = TurnRecord()
    messages = [message("TextMessage", source="user", content="hi"), message("StructuredMessage[X]", content={"a": 1})]
    read_result(SimpleNamespace(messages=[*messages, message("TextMessage", content="bye")], stop_reason="done"), seen)
    reply = seen.reply()
    assert (reply.text, reply.finish_reason) == ("bye", "done")
    assert "hi" not in reply.texts


def test_a_hand_off_stands_in_the_trace():
    seen = TurnRecord()
    read_message(message("HandoffMessage", target="user", content="over to you"), seen)
    assert seen.reply().trace == ({"type": "HANDOFF", "to": "user", "from": "desk"},)


@pytest.mark.parametrize(
    ("kind", "unread"),
    [("ThoughtEvent", 0), ("CodeExecutionEvent", 1), ("CodeGenerationEvent", 1), ("BrandNewEvent", 1)],
)
def test_events_that_may_hold_calls_are_unread(kind: str, unread: int):
    seen = TurnRecord()
    read_message(message(kind), seen)
    assert len(seen.reply().unread) == unread


def test_an_assistant_is_copied_with_its_context():
    assistant = Assistant()
    agent = Agent(assistant)
    own = agent.open(OPENING)._agent
    own._model_context.append("hi")
    assert assistant._model_context == ["system"]
    assert agent.one_at_a_time == ""


def test_an_object_that_saves_nothing_has_one_conversation():
    saving = Agent(Keeper())
    assert saving.open(OPENING) is not saving.open(OPENING)
    assert saving.one_at_a_time
    forgetful = Agent(Parrot())
    forgetful.open(OPENING)
    with pytest.raises(CallFailed, match="a Parrot has no save_state of its own") as caught:
        forgetful.open(OPENING)
    assert caught.value.fault == "test"
