"""An A2A server keeps the promises every target makes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.contract import target_contract as contract
from tests.fakes.a2a_server import FakeA2aServer, a2a_server, echo, hang, whoami
from tests.fakes.surroundings import surroundings_at

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.case import FrontendTool
from vivavoce.plugins.catalog import TARGETS
from vivavoce.protocols import Surroundings, TargetSpec
from vivavoce.targets.a2a.target import A2aTarget

BEHAVIOURS = {"echo": echo, "whoami": whoami, "hang": hang}


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[tuple[contract.Make, dict[str, FakeA2aServer]]]:
    async with AsyncExitStack() as stack:
        lent = await stack.enter_async_context(surroundings_at(tmp_path))
        servers = {
            name: await stack.enter_async_context(a2a_server(behave, streaming=name != "whoami"))
            for name, behave in BEHAVIOURS.items()
        }

        def make(behaviour: str) -> A2aTarget:
            url = "http://127.0.0.1:9" if behaviour == "fail" else servers[behaviour].url
            return _target(lent, url)

        yield make, servers


def _target(lent: Surroundings, url: str, **config: Any) -> A2aTarget:
    return A2aTarget(TargetSpec(id="desk", kind="a2a", config={"a2a": url, **config}), lent)


@pytest.mark.parametrize(
    "promise",
    # A2A cannot be given a history: test_session says what happens instead.
    [each for each in contract.PROMISES if each is not contract.it_sees_earlier_turns_and_the_history],
)
async def test_it_keeps_the_promise(promise: Any, world: Any) -> None:
    await promise(world[0])


async def test_its_card_tells_what_it_is(world: Any) -> None:
    await contract.its_card_tells_what_it_is(world[0], "a2a")


async def test_the_card_is_read_once_for_many_conversations(world: Any) -> None:
    make, servers = world
    target = make("echo")
    await asyncio.gather(*(contract.say(target, "hello") for _ in range(8)))
    assert [path for method, path in servers["echo"].got if method == "GET"] == ["/.well-known/agent-card.json"]


async def test_headers_are_filled_in_and_are_secrets(tmp_path: Path) -> None:
    async with surroundings_at(tmp_path) as lent, a2a_server(echo) as server:
        target = _target(lent, server.url, headers={"Authorization": "Bearer ${TOKEN}"})
        await contract.say(target, "hello", variables={"TOKEN": "top-secret"})
        assert server.asked[0].headers["Authorization"] == "Bearer top-secret"
        assert "top-secret" not in lent.secrets.mask("it was Bearer top-secret")


async def test_front_end_tools_are_refused(tmp_path: Path) -> None:
    async with surroundings_at(tmp_path) as lent:
        target = _target(lent, "http://127.0.0.1:9")
        with pytest.raises(CallFailed, match="front-end tools would never be sent"):
            await target.open(contract.context(frontend_tools=(FrontendTool(name="ask"),)))


async def test_an_address_must_be_one(tmp_path: Path) -> None:
    async with surroundings_at(tmp_path) as lent:
        with pytest.raises(UsageError, match="not an address: 'desk'"):
            await _target(lent, "desk").open(contract.context())


def test_the_kind_is_known_by_its_prefix() -> None:
    kind = TARGETS.load("a2a")
    assert (kind.name, kind.shows_calls, kind.connector) == ("a2a", "when_it_has_some", "passed_on")
