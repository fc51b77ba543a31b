"""A real pydantic-ai Agent under its own offline models."""

import ast
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.fakes.user_agents import say, target_of

from vivavoce.errors import CallFailed
from vivavoce.model.message import Message
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import CallContext
from vivavoce.targets.frameworks.known import framework_of
from vivavoce.targets.frameworks.pydantic_ai import read_messages
from vivavoce.targets.frameworks.turn_record import TurnRecord

pytestmark = pytest.mark.skipif(find_spec("pydantic_ai") is None, reason="pydantic-ai is not installed")

CODE = """
from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel


def count(messages, info):
    said = [part.content for message in messages for part in message.parts if part.part_kind == "user-prompt"]
    told = [part.content for message in messages for part in message.parts if part.part_kind == "system-prompt"]
    return ModelResponse(parts=[TextPart(f"{told} {said}")])


def look(messages, info):
    prompts = [part.content for message in messages for part in message.parts if part.part_kind == "user-prompt"]
    parts = [part for prompt in prompts for part in ([prompt] if isinstance(prompt, str) else prompt)]
    seen = [part if isinstance(part, str) else (part.kind, getattr(part, "url", "") or part.data, part.media_type)
            for part in parts]
    return ModelResponse(parts=[TextPart(repr(seen))])


talker = Agent(FunctionModel(count))
looker = Agent(FunctionModel(look))
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


def once(messages, info):
    if len(messages) == 1:
        return ModelResponse(parts=[ToolCallPart("lookup", {"city": "x"}), ToolCallPart("final_result_purge", {})])
    return ModelResponse(parts=[TextPart("sorry")])


retrying = Agent(FunctionModel(once))


@retrying.tool_plain
def lookup(city: str) -> str:
    raise ModelRetry("no such city")


@retrying.tool_plain
def final_result_purge() -> str:
    return "purged"


class Deps:
    user = "Ada"


dependent = Agent(TestModel(), deps_type=Deps)


@dependent.tool
def who(ctx) -> str:
    return ctx.deps.user
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


@pytest.mark.parametrize(
    ("name", "warnings"),
    [
        ("dependent", ("the agent takes deps of type Deps and was given none: write `deps:` at the agent",)),
        ("broken", ()),
    ],
)
async def test_deps_that_are_missing_are_told_when_the_run_raises(name: str, warnings: tuple[str, ...]):
    session = await agent(name).open(CallContext(session_id="s", case_id="T"))
    with pytest.raises(CallFailed):
        await session.send(Line(content="hi"), Transcript())
    assert session.so_far().warnings == warnings


async def test_deps_are_given_to_the_tools():
    [reply] = await say(target_of("python", Path.cwd(), python="agents.py:dependent", deps="agents.py:Deps"), "hi")
    assert (reply.calls[0].result, reply.warnings) == ("Ada", ())


async def test_it_sees_what_a_message_has_besides_words():
    attached = [
        {"type": "text", "text": "see"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,UE5H", "detail": "auto"}},
        {"type": "image_url", "image_url": {"url": "https://x/y.png", "detail": "auto"}},
        {"type": "input_audio", "input_audio": {"data": "TVAz", "format": "mp3"}},
        {"type": "file", "file": {"url": "data:application/pdf;base64,UERG", "filename": "a.pdf"}},
        {"type": "file", "file": {"url": "https://x/y.pdf", "filename": ""}},
    ]
    history = (Message(role="user", content=attached[:2]),)
    [reply] = await say(agent("looker"), line=Line(content=attached), history=history)
    picture = ("binary", b"PNG", "image/png")
    assert ast.literal_eval(reply.text) == [
        *("see", picture),
        *("see", picture),
        ("image-url", "https://x/y.png", "image/png"),
        ("binary", b"MP3", "audio/mpeg"),
        ("binary", b"PDF", "application/pdf"),
        ("document-url", "https://x/y.pdf", "application/pdf"),
    ]


async def test_texts_in_parts_are_one_text():
    parts = [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]
    [reply] = await say(agent("looker"), line=Line(content=parts))
    assert ast.literal_eval(reply.text) == ["one\ntwo"]


async def test_what_it_cannot_take_fails_the_turn():
    with pytest.raises(CallFailed, match=r'take no content like {"file":{"file_id":"file_1"}') as caught:
        await say(agent("looker"), line=Line(content=[{"type": "file", "file": {"file_id": "file_1"}}]))
    assert caught.value.fault == "test"


async def test_its_tool_calls_are_seen():
    [reply] = await say(agent("tooled"), "weather?")
    [call] = reply.calls
    assert (call.name, call.args, call.result) == ("weather", {"city": "a"}, {"city": "a", "sky": "grey"})
    assert call.started_ms is not None
    assert call.completed_ms is not None
    assert call.completed_ms >= call.started_ms


async def test_a_tool_that_asks_for_another_try_failed_and_a_tool_named_like_an_output_is_one():
    [reply] = await say(agent("retrying"), "weather?")
    lookup, purge = reply.calls
    assert lookup.name == "lookup"
    assert lookup.error is not None
    assert "no such city" in lookup.error
    assert (purge.name, purge.result) == ("final_result_purge", "purged")


async def test_structured_output_is_data_and_its_made_up_tool_is_no_call():
    [reply] = await say(agent("structured"), "judge")
    assert reply.data == {"passed": False}
    assert reply.calls == ()


async def test_what_it_raises_is_the_agents_fault():
    with pytest.raises(CallFailed, match=r"RuntimeError: no model \(agents\.py:\d+\)") as caught:
        await say(agent("broken"), "hi")
    assert caught.value.fault == "agent"


def test_other_objects_are_not_mistaken_for_one():
    assert framework_of("text") is None
    assert framework_of(print) is None


def test_a_call_in_a_models_marks_in_the_thinking_is_unread():
    from pydantic_ai.messages import ModelResponse, TextPart, ThinkingPart

    for thought, doubts in (('<tool_call>{"name": "delete_order"}</tool_call>', 1), ("The tool is slow.", 0)):
        seen = TurnRecord()
        read_messages([ModelResponse(parts=[ThinkingPart(thought), TextPart("ok")])], seen)
        assert len(seen.reply().unread) == doubts
