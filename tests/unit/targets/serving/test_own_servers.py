"""A server for each attempt."""

import sys

import pytest
from tests.fakes.served_agent import HERE
from tests.fakes.surroundings import surroundings_at

from vivavoce.errors import CallFailed
from vivavoce.model.message import AgentReply
from vivavoce.model.transcript import Line, Transcript
from vivavoce.project.settings import Config
from vivavoce.protocols import AgentCard, CallContext
from vivavoce.targets.serving.own_servers import OwnServedTarget

pytestmark = pytest.mark.process
FIELDS = {"cmd": [sys.executable, HERE, "${PORT}"], "ready": "${PORT}", "per": "attempt"}


class Quiet:
    """An agent that answers with the port it was opened with."""

    card = AgentCard(id="shop", kind="http")

    async def open(self, context):
        self.port = context.variables["PORT"]
        return self

    async def send(self, line, transcript):
        if line.text == "fail":
            raise CallFailed("no answer", fault="target")
        return AgentReply(text=self.port)

    async def close(self): ...


@pytest.fixture
async def agent(tmp_path):
    async with surroundings_at(tmp_path, Config()) as lent:
        yield OwnServedTarget(Quiet(), FIELDS, "http://127.0.0.1:${PORT}/", lent)


async def test_servers_at_once_have_ports_of_their_own(agent):
    async with agent.serving({}, None) as one, agent.serving({}, None) as two:
        assert one.variables["PORT"] != two.variables["PORT"]
        assert f"listening on {one.variables['PORT']}" in one.log()


async def test_a_conversation_outside_a_case_has_its_server_as_long_as_it_lasts(agent):
    session = await agent.open(CallContext(session_id="s"))
    assert (await session.send(Line(content="hello"), Transcript())).text.isdecimal()
    with pytest.raises(CallFailed, match="no answer"):
        await session.send(Line(content="fail"), Transcript())
    await session.close()


async def test_one_that_does_not_come_up_is_the_fault_of_the_target(tmp_path):
    async with surroundings_at(tmp_path, Config()) as lent:
        agent = OwnServedTarget(Quiet(), {**FIELDS, "cmd": ["/no/such/program"]}, None, lent)
        with pytest.raises(CallFailed, match="cannot be started") as failed:
            await agent.open(CallContext(session_id="s"))
    assert failed.value.fault == "target"
