"""An agent's own limits: `max_parallel` and `rate` in its entry of the configuration."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.agents import FakeTarget

from vivavoce.engine.limits import check_rates, limited
from vivavoce.errors import UsageError
from vivavoce.metering.prices import PriceList
from vivavoce.model.message import AgentReply, Usage
from vivavoce.model.transcript import Line, Transcript
from vivavoce.plugins.catalog import TARGETS
from vivavoce.project.project import Project
from vivavoce.project.settings import AgentConfig, Config, ConnectorConfig, Price
from vivavoce.protocols import CallContext, Session, Target, TargetSpec

HELLO = Line(content="hi")


class Counting(FakeTarget):
    """A slow target that counts its simultaneous calls."""

    def __init__(self, says: Any = ("ok",), *, fails: bool = False) -> None:
        super().__init__(says)
        self.now = self.most = 0
        self.fails = fails

    async def open(self, context: CallContext) -> Any:
        return _CountingSession(await super().open(context), self)


class _CountingSession:
    def __init__(self, session: Session, target: Counting) -> None:
        self._session, self._target = session, target

    async def send(self, line: Line, transcript: Transcript) -> AgentReply:
        self._target.now += 1
        self._target.most = max(self._target.most, self._target.now)
        await asyncio.sleep(0.01)
        self._target.now -= 1
        if self._target.fails:
            raise OSError("gone")
        return await self._session.send(line, transcript)

    async def close(self) -> None: ...


def with_limits(target: Target, prices: dict[str, Price] | None = None, kind: str = "agui", **config: Any) -> Target:
    return limited(target, TargetSpec(id="a", kind=kind, config=config), TARGETS.load(kind), PriceList(prices or {}))


async def speak(target: Target, times: int) -> list[Any]:
    sessions = [await target.open(CallContext(session_id=str(n))) for n in range(times)]
    return await asyncio.gather(*(s.send(HELLO, Transcript()) for s in sessions), return_exceptions=True)


def test_an_agent_without_limits_is_called_directly():
    agent = FakeTarget()
    assert with_limits(agent) is agent


async def test_no_more_conversations_speak_at_once_than_allowed():
    agent = Counting()
    replies = await speak(with_limits(agent, max_parallel=3), 12)
    assert (agent.most, len(replies)) == (3, 12)


async def test_a_call_that_fails_gives_its_place_back():
    agent = Counting(fails=True)
    replies = await asyncio.wait_for(speak(with_limits(agent, max_parallel=1), 3), 5)
    assert all(isinstance(reply, OSError) for reply in replies)


async def test_calls_keep_to_the_rate():
    began = asyncio.get_running_loop().time()
    await speak(with_limits(FakeTarget(), rate="50/s"), 6)
    assert asyncio.get_running_loop().time() - began >= 0.099


async def test_what_the_model_of_an_app_used_gets_its_price():
    agent = FakeTarget([AgentReply(text="ok", usage=Usage(1_000_000, 0))])
    [reply] = await speak(with_limits(agent, {"big": Price(3.0, 0.0)}, model="big"), 1)
    assert reply.usage == Usage(1_000_000, 0, 3.0)


@pytest.mark.parametrize(
    ("config", "place"),
    [
        (Config(agents={"shop": AgentConfig(kind="agui", rate="fast")}), "agents.shop.rate"),
        (Config(connectors={"gpt": ConnectorConfig(type="openai", rate="5")}), "connectors.gpt.rate"),
    ],
)
def test_a_bad_rate_is_told_with_its_place(config, place):
    with pytest.raises(UsageError, match=place):
        check_rates(Project(root=Path("/nowhere"), config=config))
