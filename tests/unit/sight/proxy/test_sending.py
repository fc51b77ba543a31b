"""The proxy with a real provider behind it and a real client in front: what faults make of the answers."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import aiohttp
import pytest
from tests.fakes.model_provider import HELLO, ModelProvider

from vivavoce.metering.prices import PriceList
from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import AgentReply
from vivavoce.notation.fault_notation import read_fault
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import Provisions
from vivavoce.sight.interventions import CaseInterventions
from vivavoce.sight.proxy.conversation_tap import ConversationTap
from vivavoce.sight.proxy.providers import providers_of
from vivavoce.sight.proxy.server import ProxyServer
from vivavoce.sight.tapes.masking import Censor

HI = {"model": "m-1", "messages": [{"role": "user", "content": "Hi"}]}
REFUND = {"model": "m-1", "messages": [{"role": "user", "content": "refund it"}], "tools": ["find_order"]}


@pytest.fixture
def provider() -> Iterator[ModelProvider]:
    with ModelProvider() as running:
        yield running


class Between:
    """A conversation at the proxy, with faults."""

    def __init__(self, provider: ModelProvider, *faults: Any) -> None:
        providers = providers_of({"openai": provider.url, "anthropic": provider.url}, "shop")
        self.server = ProxyServer(0, providers)
        self.faults = CaseInterventions(tuple(map(read_fault, faults)), (), _no_script)
        self.tap = ConversationTap(
            "shop",
            providers=providers,
            server=self.server,
            provisions=Provisions(interventions=self.faults),
            lines=["Hi"],
            prices=PriceList({}),
            censor=Censor(Secrets()),
            attempt_tape=None,
            sees=True,
            takes_faults=True,
        )
        self.server.taps.add(self.tap)
        self.server.start()
        self.tap.begin_turn(1, self.tap.provisions)

    @property
    def url(self) -> str:
        return f"{self.server.scoped(self.tap.token)}/openai/v1/chat/completions"

    async def ask(self, body: dict[str, Any]) -> tuple[int, str]:
        async with aiohttp.ClientSession() as session, session.post(self.url, json=body) as response:
            return response.status, await response.text()

    async def seen(self) -> AgentReply:
        reply = AgentReply(text="", shows_calls=False)
        for watch in (self.tap, self.faults):
            reply = await watch.end_turn(1, reply, 0.0, 1.0)
        return reply


async def _no_script(_ref: str, _args: JsonValue) -> JsonValue:
    raise AssertionError


Make = Callable[..., Between]


@pytest.fixture
async def between(provider: ModelProvider) -> AsyncIterator[Make]:
    made: list[Between] = []

    def make(*faults: Any) -> Between:
        made.append(Between(provider, *faults))
        return made[-1]

    yield make
    for one in made:
        one.server.close()


async def test_a_busy_provider_is_not_even_asked_and_the_next_call_is(between: Make, provider: ModelProvider):
    shop = between("model:429")
    status, said = await shop.ask(HI)
    assert (status, "rate_limit_exceeded" in said, provider.requests) == (429, True, [])
    status, said = await shop.ask(HI)
    assert (status, HELLO in said) == (200, True)
    assert (await shop.seen()).warnings == ("fault model:429 struck at model call 1",)


@pytest.mark.parametrize("stream", [False, True])
async def test_a_cut_answer_breaks_the_connection(between: Make, stream: bool):
    shop = between("model:cut")
    with pytest.raises(aiohttp.ClientPayloadError):
        await shop.ask({**HI, "stream": stream})
    reply = await shop.seen()
    assert (reply.shows_calls, reply.unread) == (True, ())


async def test_a_cut_stream_that_calls_tools_leaves_doubt(between: Make):
    shop = between("model:cut")
    with pytest.raises(aiohttp.ClientPayloadError):
        await shop.ask({**REFUND, "stream": True})
    [piece] = (await shop.seen()).unread
    assert "may have called them" in piece.piece
    assert piece.may_hold == "call"


async def test_what_the_agent_never_got_is_no_call(between: Make):
    shop = between("model:length")
    await shop.ask(REFUND)
    reply = await shop.seen()
    assert (reply.calls, reply.unread) == ((), ())


async def test_a_stalled_call_whose_agent_hangs_up_is_over(between: Make):
    shop = between("model:stall")
    body = {**HI, "stream": True}
    async with aiohttp.ClientSession() as session, session.post(shop.url, json=body) as response:
        assert b"Hello" in await response.content.readany()
    reply = await shop.seen()
    assert (reply.shows_calls, reply.unread) == (True, ())


async def test_a_slow_answer_comes_whole(between: Make):
    shop = between({"at": "model", "kind": "slow", "for": "10ms"})
    status, said = await shop.ask(HI)
    assert (status, HELLO in said) == (200, True)


async def test_a_provider_that_cannot_be_reached_is_told_as_such(between: Make, provider: ModelProvider):
    shop = between("model:malformed")
    provider.__exit__()
    status, said = await shop.ask(HI)
    assert (status, "cannot be reached" in said) == (502, True)
