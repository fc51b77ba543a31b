"""The same conversations with real AG-UI servers, each from its own package, with a fake model behind it."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from tests.fakes.agui_talk import Talk, talking_to

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import AgentReply, ExchangeStatus

pytestmark = pytest.mark.timeout(600)

SERVERS = Path(__file__).parent / "servers"


@dataclass(frozen=True)
class Server:
    """How one framework differs from the others."""

    script: str
    path: str
    interrupts: bool = True
    """Whether a confirmation is an interrupt of the protocol, or a call that waits."""
    approval: str = "approved"


KINDS = {
    "pydantic-ai": Server("pydantic_ai_app.py", "/"),
    "agno": Server("agno_app.py", "/agui", interrupts=False, approval="accepted"),
    "langgraph, old interrupts": Server("langgraph_app.py", "/legacy"),
    "langgraph, new interrupts": Server("langgraph_app.py", "/outcome"),
}


@pytest.fixture(scope="module")
def running() -> Iterator[dict[str, str]]:
    """Servers by script, started when first needed and ended with the module."""
    processes: dict[str, subprocess.Popen[str]] = {}
    yield _Addresses(processes)
    for process in processes.values():
        process.terminate()
    for process in processes.values():
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


class _Addresses(dict[str, str]):
    def __init__(self, processes: dict[str, subprocess.Popen[str]]) -> None:
        super().__init__()
        self._processes = processes

    def __missing__(self, script: str) -> str:
        process = subprocess.Popen([sys.executable, str(SERVERS / script)], stdout=subprocess.PIPE, text=True)
        self._processes[script] = process
        assert process.stdout is not None
        # The server prints its port once it listens; an early end prints nothing.
        port = process.stdout.readline().strip()
        assert port, f"{script} did not start"
        self[script] = f"http://127.0.0.1:{port}"
        return self[script]


@pytest.fixture(params=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Server:
    return KINDS[request.param]


@pytest.fixture
def url(kind: Server, running: dict[str, str]) -> str:
    return running[kind.script] + kind.path


def calls_of(reply: AgentReply) -> list[tuple[str, Any, Any]]:
    return [(made.name, made.args, made.result) for made in reply.calls]


async def say(url: str, *lines: str, **config: Any) -> AgentReply:
    """The last reply of a conversation in a thread of its own."""
    async with _talk(url, **config) as talk:
        *_, last = [await talk.say(line) for line in lines]
    return last


def _talk(url: str, **config: Any) -> Any:
    return talking_to(url, session_id=uuid4().hex, **config)


async def test_text(url: str) -> None:
    reply = await say(url, "good morning")
    assert (reply.status, reply.text, reply.error) == (ExchangeStatus.SUCCESS, "Hello there.", None)
    assert (reply.calls, reply.violations, reply.warnings) == ((), (), ())


async def test_a_backend_tool(url: str) -> None:
    reply = await say(url, "weather please")
    assert calls_of(reply) == [("get_weather", {"city": "Paris"}, {"city": "Paris", "temp": 21})]
    assert reply.text.startswith("Done: ")
    assert reply.texts[0] == "Let me look. "
    assert (reply.status, reply.violations) == (ExchangeStatus.SUCCESS, ())


async def test_parallel_tools(url: str) -> None:
    reply = await say(url, "both please")
    assert calls_of(reply) == [
        ("get_weather", {"city": "Paris"}, {"city": "Paris", "temp": 21}),
        ("get_weather", {"city": "Rome"}, {"city": "Rome", "temp": 21}),
    ]
    assert reply.text.startswith("Done: ")


async def test_a_front_end_tool_answered_by_a_stub(url: str) -> None:
    parameters = {"type": "object", "properties": {"color": {"type": "string"}}, "required": ["color"]}
    tool = {"name": "change_color", "description": "Paints", "parameters": parameters, "answer": "painted"}
    reply = await say(url, "paint it", tools=[tool])
    assert calls_of(reply) == [("change_color", {"color": "red"}, "painted")]
    assert reply.calls[0].frontend
    assert (reply.status, reply.text) == (ExchangeStatus.SUCCESS, "Done: painted")


async def test_an_interrupt_and_its_answer_in_the_next_turn(url: str, kind: Server) -> None:
    approved = ResumeAnswer(payload={kind.approval: True}, tool=None if kind.interrupts else "delete_file")
    async with _talk(url) as talk:
        asked = await talk.say("delete it")
        reply = await talk.say("", resume=(approved,))
    assert asked.status is (ExchangeStatus.INTERRUPTED if kind.interrupts else ExchangeStatus.SUCCESS)
    assert len(asked.interrupts) == (1 if kind.interrupts else 0)
    assert (reply.status, reply.error) == (ExchangeStatus.SUCCESS, None)
    assert "deleted /tmp/x" in reply.text
    assert _all_calls(talk) == [("delete_file", {"path": "/tmp/x"}, "deleted /tmp/x")]


async def test_an_interrupt_and_its_answer_in_the_same_turn(url: str, kind: Server) -> None:
    denied = ResumeAnswer(payload={kind.approval: False}, tool=None if kind.interrupts else "delete_file")
    async with _talk(url) as talk:
        reply = await talk.say("delete it", resume=(denied,))
    assert (reply.status, reply.error) == (ExchangeStatus.SUCCESS, None)
    assert [made.name for made in reply.calls] == ["delete_file"]
    assert "deleted /tmp/x" not in reply.text


async def test_an_error_in_the_middle_of_a_run(url: str) -> None:
    reply = await say(url, "explode")
    assert reply.status is ExchangeStatus.ERROR
    assert "the model broke" in (reply.error or "")
    assert reply.text == "Partial "


async def test_three_turns_are_three_user_messages(url: str) -> None:
    reply = await say(url, "good morning", "weather please", "count")
    assert (reply.text, reply.calls) == ("I have seen 3 user messages.", ())


async def test_a_conversation_goes_on_after_a_front_end_tool(url: str) -> None:
    tool = {"name": "change_color", "parameters": {"type": "object", "properties": {}}, "answer": "painted"}
    reply = await say(url, "paint it", "paint it again", "count", tools=[tool])
    assert reply.text == "I have seen 3 user messages."


def _all_calls(talk: Talk) -> list[tuple[str, Any, Any]]:
    return [call for turn in talk.transcript.turns for call in calls_of(turn.reply)]
