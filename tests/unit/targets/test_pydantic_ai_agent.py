"""A real pydantic-ai Agent under its own offline models."""

import sys
from pathlib import Path

import pytest
from tests.fakes.user_agents import say, target_of

from vivavoce.errors import CallFailed
from vivavoce.model.message import Message
from vivavoce.targets.pydantic_ai_agent import is_pydantic_ai_agent

pytest.importorskip("pydantic_ai")

CODE = """
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel


def count(messages, info):
    said = [part.content for message in messages for part in message.parts if part.part_kind == "user-prompt"]
    told = [part.content for message in messages for part in message.parts if part.part_kind == "system-prompt"]
    return ModelResponse(parts=[TextPart(f"{told} {said}")])


talker = Agent(FunctionModel(count))
tooled = Agent(TestModel())


@tooled.tool_plain
def weather(city: str) -> dict:
    return {"city": city, "sky": "grey"}


class Verdict(BaseModel):
    passed: bool


structured = Agent(TestModel(), output_type=Verdict)


def broken_model(messages, info):
    raise RuntimeError("no model")


broken = Agent(FunctionModel(broken_model))
"""


@pytest.fixture(autouse=True)
def _in_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    Path("agents.py").write_text(CODE)


def agent(name: str):
    return target_of("python", Path.cwd(), python=f"agents.py:{name}")


async def test_it_remembers_the_conversation_and_the_case_s_history():
    history = (Message(role="system", content="be kind"), Message(role="user", content="before"))
    replies = await say(agent("talker"), "one", "two", history=history)
    assert [reply.text for reply in replies] == [
        "['be kind'] ['before', 'one']",
        "['be kind'] ['before', 'one', 'two']",
    ]
    assert replies[0].usage is not None
    assert replies[0].usage.output_tokens > 0


async def test_its_tool_calls_are_seen():
    [reply] = await say(agent("tooled"), "weather?")
    [call] = reply.calls
    assert (call.name, call.args, call.result) == ("weather", {"city": "a"}, {"city": "a", "sky": "grey"})
    assert call.started_ms is not None
    assert call.completed_ms is not None
    assert call.completed_ms >= call.started_ms


async def test_structured_output_is_data_and_its_made_up_tool_is_no_call():
    [reply] = await say(agent("structured"), "judge")
    assert reply.data == {"passed": False}
    assert reply.calls == ()


async def test_what_it_raises_is_the_agents_fault():
    with pytest.raises(CallFailed, match=r"RuntimeError: no model \(agents\.py:\d+\)") as caught:
        await say(agent("broken"), "hi")
    assert caught.value.fault == "agent"


def test_other_objects_are_not_mistaken_for_one():
    assert not is_pydantic_ai_agent("text")
    assert not is_pydantic_ai_agent(print)
