"""The same conversations with real A2A servers, each from its own package and in a virtualenv of its own."""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import VivaProject
from tests.fakes.a2a_talk import a2a_talk
from tests.live.environments import environment
from tests.live.viva_in import interpreter

from vivavoce.model.case import ResumeAnswer
from vivavoce.model.message import AgentReply, ExchangeStatus, Unread

pytestmark = pytest.mark.timeout(900)

SERVERS = Path(__file__).parent / "a2a"
EVERYTHING = os.environ.get("VIVA_LIVE") == "all"


@dataclass(frozen=True)
class Server:
    """How one server differs from the others."""

    script: str
    env: str
    path: str = ""
    arguments: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    """What it shows of a tool call: `args`, `results`. Empty: no calls."""
    asks: bool = False
    """Whether it asks back in words (`book`)."""
    approves: dict[str, Any] | None = None
    """How a payment is approved."""
    crash: ExchangeStatus = ExchangeStatus.ERROR


BOTH = ("args", "results")
KINDS = {
    "sdk 1": Server("serve_sdk_1.py", "a2a-sdk-1", shows=BOTH, asks=True),
    "sdk 0.3": Server(
        # It cuts the line when the agent raises, and says no word.
        "serve_sdk_03.py",
        "a2a-sdk-03",
        shows=BOTH,
        asks=True,
        crash=ExchangeStatus.TRUNCATED,
    ),
    "pydantic-ai": Server("serve_pydantic_ai.py", "a2a-pydantic-ai"),
    "strands": Server("serve_strands.py", "a2a-strands", approves={"reason": "approval", "payload": "yes"}),
    # An error of its agent is an answer without a word.
    "agno": Server("serve_agno.py", "a2a-agno", "/a2a/agents/desk", shows=("args",), crash=ExchangeStatus.SUCCESS),
    "adk": Server("serve_adk.py", "a2a-adk", shows=BOTH, approves={"tool": "pay", "payload": True}),
}


class _Running:
    """Servers by script, started when first needed."""

    def __init__(self) -> None:
        self.processes: dict[tuple[str, ...], tuple[subprocess.Popen[str], str]] = {}

    def url(self, server: Server, *arguments: str) -> str:
        key = (server.script, *arguments)
        if key not in self.processes:
            python = interpreter(server.env, everything=EVERYTHING)
            command = [str(python), str(SERVERS / server.script), *arguments]
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
            assert process.stdout is not None
            # The server prints its port once it listens; an early end prints nothing.
            port = process.stdout.readline().strip()
            assert port.isdigit(), f"{server.script} did not start"
            self.processes[key] = process, f"http://127.0.0.1:{port}"
        return self.processes[key][1] + server.path


@pytest.fixture(scope="module")
def running() -> Iterator[_Running]:
    servers = _Running()
    yield servers
    for process, _ in servers.processes.values():
        process.terminate()
    for process, _ in servers.processes.values():
        process.wait(20)
        assert process.stdout is not None
        process.stdout.close()


@pytest.fixture(params=list(KINDS))
def server(request: pytest.FixtureRequest) -> Server:
    return KINDS[request.param]


@pytest.fixture
def url(server: Server, running: _Running) -> str:
    return running.url(server)


async def say(url: str, *lines: str, **config: Any) -> AgentReply:
    """The last reply of a conversation."""
    async with a2a_talk(url, **config) as talk:
        *_, last = [await talk.say(line) for line in lines]
    return last


def hidden(reply: AgentReply) -> list[Unread]:
    """What breaks checks of any tool. Stray words, as in agno's metrics, matter only to a tool named like one."""
    return [piece for piece in reply.unread if not piece.is_name]


@pytest.mark.parametrize("stream", [True, False])
async def test_a_conversation_is_remembered(url: str, stream: bool) -> None:
    reply = await say(url, "My name is Ada", "What is my name?", stream=stream)
    assert (reply.status, reply.error, hidden(reply)) == (ExchangeStatus.SUCCESS, None, [])
    assert reply.text == "Your name is Ada."


async def test_conversations_do_not_mix(url: str) -> None:
    assert (await say(url, "What is my name?")).text == "I do not know your name."


async def test_tool_calls_are_seen_where_they_are_shown(url: str, server: Server) -> None:
    reply = await say(url, "weather please")
    assert reply.text.startswith("Paris: ")
    assert reply.shows_calls is bool(server.shows)
    cities = [call.args["city"] for call in reply.calls]
    assert cities == (["Paris", "Atlantis"] if server.shows else [])
    if "results" in server.shows:
        assert reply.calls[0].result == {"celsius": 21, "city": "Paris"}
        assert reply.calls[1].result == {"error": "no such city"}
    assert hidden(reply) == []


async def test_a_crash_is_no_answer(url: str, server: Server) -> None:
    reply = await say(url, "crash now")
    assert reply.status is server.crash
    assert reply.is_silent or reply.error


@pytest.mark.parametrize("server", [each for each in KINDS.values() if each.asks], ids=lambda each: each.env)
async def test_a_question_in_words(server: Server, running: _Running) -> None:
    async with a2a_talk(running.url(server)) as talk:
        asked = await talk.say("book a flight")
        answered = await talk.say("Rome")
    assert (asked.text, asked.awaiting, answered.text) == ("Where to?", True, "Booked: Rome.")


@pytest.mark.parametrize("server", [each for each in KINDS.values() if each.approves], ids=lambda each: each.env)
async def test_an_approval(server: Server, running: _Running) -> None:
    approval = ResumeAnswer(**(server.approves or {}))
    async with a2a_talk(running.url(server)) as talk:
        asked = await talk.say("pay 10")
        paid = await talk.say("", resume=(approval,))
    async with a2a_talk(running.url(server)) as talk:
        at_once = await talk.say("pay 10", resume=(approval,))
    assert asked.status is ExchangeStatus.INTERRUPTED
    assert (paid.status, paid.error) == (ExchangeStatus.SUCCESS, None)
    assert paid.text.startswith("Paid: ")
    assert at_once.text.startswith("Paid: ")


async def test_structured_output_and_a_rejection(running: _Running) -> None:
    for name in ("sdk 1", "sdk 0.3"):
        url = running.url(KINDS[name])
        assert (await say(url, "invoice please")).output == {"number": 7, "total": 12.5}
        rejected = await say(url, "reject it")
        assert rejected.error == "the agent rejected the task: I do not do that."
    url = running.url(KINDS["pydantic-ai"], "data")
    assert (await say(url, "invoice please")).output == {"number": 7, "total": 12.5}


@pytest.mark.parametrize("transport", ["JSONRPC", "HTTP+JSON"])
@pytest.mark.parametrize("version", ["1.0", "0.3"])
@pytest.mark.parametrize("stream", [True, False])
async def test_every_dialect_of_the_sdk(running: _Running, transport: str, version: str, stream: bool) -> None:
    url = running.url(KINDS["sdk 1"])
    config = {"transport": transport, "version": version, "stream": stream}
    async with a2a_talk(url, **config) as talk:
        asked = await talk.say("book a flight")
        answered = await talk.say("Rome")
    assert (asked.text, asked.awaiting, answered.text) == ("Where to?", True, "Booked: Rome.")


def test_viva_test_catches_a_forbidden_call_and_breaks_on_a_hidden_one(running: _Running, tmp_path: Path) -> None:
    project = VivaProject(tmp_path)
    rules = {"tools": {"forbid": ["get_weather"]}, "text": {"must_match": ["Paris"]}}
    project.write("a.jsonl", json.dumps({"id": "W", "turns": [{"input": "weather", "assert": rules}]}))
    for name, wanted in {"sdk 1": "failed", "pydantic-ai": "error"}.items():
        done = project.viva("test", "-i", "a.jsonl", "-n", f"a2a:{running.url(KINDS[name])}", "-o", "r.jsonl")
        assert done.code == 1, done.text
        rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
        assert [row["status"] for row in rows if row["type"] == "result"] == [wanted], done.text
