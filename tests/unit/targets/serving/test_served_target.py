"""An agent behind a server: up before the first line, and an error says whether the server died."""

from typing import Any, cast

import pytest

from vivavoce.errors import CallFailed, VivaError
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.protocols import AgentCard, CallContext
from vivavoce.targets.serving.served_target import ServedTarget
from vivavoce.targets.serving.server import Server

DIED = "its server ended (exit code 7)"


class FakeServer:
    def __init__(self, died: str | None = None, never_up: bool = False) -> None:
        self.steps: list[str] = []
        self._died = died
        self._never_up = never_up

    async def up(self) -> None:
        self.steps.append("up")
        if self._never_up:
            raise VivaError("it does not become ready", hint="look at its log")

    async def down(self) -> None:
        self.steps.append("down")

    async def problem(self) -> str | None:
        return self._died


class FakeTarget:
    card = AgentCard(id="shop", kind="http")

    def __init__(self, says: AgentReply | CallFailed) -> None:
        self._says = says

    async def open(self, context: CallContext) -> "FakeTarget":
        return self

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        if isinstance(self._says, CallFailed):
            raise self._says
        return self._says

    async def close(self) -> None: ...


def served(says: AgentReply | CallFailed, server: FakeServer) -> ServedTarget:
    return ServedTarget(cast("Any", FakeTarget(says)), cast("Server", server))


async def said(says: AgentReply | CallFailed, server: FakeServer) -> AgentReply:
    session = await served(says, server).open(CallContext(session_id="s"))
    return await session.send(Line(content="hi"), Transcript())


async def test_the_server_is_up_before_the_conversation_and_down_after_the_target():
    server = FakeServer()
    target = served(AgentReply(text="ok"), server)
    session = await target.open(CallContext(session_id="s"))
    assert server.steps == ["up"]
    assert (await session.send(Line(content="hi"), Transcript())).text == "ok"
    assert session.so_far() == AgentReply()
    await session.close()
    await target.close()
    assert server.steps == ["up", "down"]


async def test_a_server_that_does_not_come_up_is_the_agents_failure():
    with pytest.raises(CallFailed, match="does not become ready") as caught:
        await served(AgentReply(), FakeServer(never_up=True)).open(CallContext(session_id="s"))
    assert (caught.value.fault, caught.value.hint) == ("target", "look at its log")


@pytest.mark.parametrize("died", [DIED, None])
async def test_a_line_without_an_answer_says_whether_the_server_died(died: str | None):
    with pytest.raises(CallFailed) as caught:
        await said(CallFailed("no answer", fault="target"), FakeServer(died))
    assert caught.value.what == (f"no answer; {DIED}" if died else "no answer")


async def test_a_fault_of_the_test_is_not_blamed_on_the_server():
    with pytest.raises(CallFailed) as caught:
        await said(CallFailed("no such file", fault="test"), FakeServer(DIED))
    assert (caught.value.what, caught.value.fault) == ("no such file", "test")


async def test_a_reply_with_an_error_says_it_too():
    assert (await said(AgentReply(error="broken off"), FakeServer(DIED))).error == f"broken off; {DIED}"
    assert (await said(AgentReply(text="fine"), FakeServer(DIED))).error is None
