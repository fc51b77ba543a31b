"""Clients that go away in the middle of a stream: the provider is let go, the tape says cut, nothing is green."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from vivavoce.metering.prices import PriceList
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import AgentReply, Provisions
from vivavoce.sight.proxy.conversation_tap import ConversationTap
from vivavoce.sight.proxy.providers import providers_of
from vivavoce.sight.proxy.server import ProxyServer
from vivavoce.sight.tapes.attempt_tape import AttemptTape
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.normalising import Normaliser
from vivavoce.sight.tapes.tape_reading import read_tape
from vivavoce.sight.tapes.tape_writing import TapeWriter

FIRST = b'data: {"choices": [{"index": 0, "delta": {"content": "Hel"}}]}\n\n'
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
ASKED = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "hi"}]}
PATIENCE_S = 30.0


class EndlessProvider:
    """Sends one event, and then one more as often as it can until the other side is gone."""

    def __init__(self) -> None:
        self.is_let_go = asyncio.Event()
        self.url = ""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(HEAD)
        gone = asyncio.create_task(self._gone(reader))
        try:
            while not gone.done():
                writer.write(b"%x\r\n%b\r\n" % (len(FIRST), FIRST))
                await writer.drain()
                await asyncio.sleep(0.01)
        except ConnectionError:
            pass
        finally:
            gone.cancel()
            self.is_let_go.set()
            writer.close()

    async def _gone(self, reader: asyncio.StreamReader) -> None:
        while await reader.read(65536):
            pass


@asynccontextmanager
async def provider() -> AsyncGenerator[EndlessProvider]:
    made = EndlessProvider()
    server = await asyncio.start_server(made.answer, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with server:
        yield made


@asynccontextmanager
async def conversation(upstream: str, attempt_tape: AttemptTape) -> AsyncGenerator[tuple[str, ConversationTap]]:
    providers = providers_of({"openai": upstream}, "shop")
    server = ProxyServer(0, providers)
    server.start()
    provisions = Provisions(session_id="s")
    tap = ConversationTap(
        "shop",
        providers=providers,
        server=server,
        provisions=provisions,
        lines=["hi"],
        prices=PriceList({}),
        censor=Censor(Secrets()),
        attempt_tape=attempt_tape,
        sees=True,
        takes_faults=False,
    )
    server.taps.add(tap)
    tap.begin_turn(1, provisions)
    try:
        yield f"{server.scoped(tap.token)}/openai/v1/chat/completions", tap
    finally:
        await asyncio.to_thread(server.close)


async def go_away_after_the_first_piece(url: str) -> None:
    async with aiohttp.ClientSession() as session:
        answer = await session.post(url, json=ASKED)
        assert (await answer.content.readany()).startswith(FIRST[:10])
        answer.close()


def recorder(path: Path) -> AttemptTape:
    writer = TapeWriter(path)
    writer.begin("case", 1)
    return AttemptTape("case", 1, normaliser=Normaliser(), writer=writer)


async def test_the_provider_is_let_go_and_the_tape_says_that_the_answer_was_cut(tmp_path: Path):
    path = tmp_path / "a.tape.jsonl"
    async with provider() as upstream, conversation(upstream.url, recorder(path)) as (url, tap):
        await go_away_after_the_first_piece(url)
        async with asyncio.timeout(PATIENCE_S):
            await upstream.is_let_go.wait()
        reply = await tap.end_turn(1, AgentReply(text="Hel", shows_calls=False), 0.0, 1.0)
    [entry] = read_tape(path).attempts["case", 1]
    assert entry.aborted
    assert entry.chunks[0][1].startswith("data: ")
    # A tool could have been called in the part that nobody read: rules that need its absence are broken.
    assert [piece.may_hold for piece in reply.unread][:1] == ["call"]


async def test_a_cut_answer_is_replayed_as_a_cut_one(tmp_path: Path):
    path = tmp_path / "a.tape.jsonl"
    async with provider() as upstream, conversation(upstream.url, recorder(path)) as (url, tap):
        await go_away_after_the_first_piece(url)
        async with asyncio.timeout(PATIENCE_S):
            await upstream.is_let_go.wait()
        await tap.end_turn(1, AgentReply(), 0.0, 1.0)
    replaying = AttemptTape("case", 1, normaliser=Normaliser(), tape=read_tape(path))
    async with conversation("http://127.0.0.1:9/v1", replaying) as (url, tap), aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.ClientError):
            await (await session.post(url, json=ASKED)).read()
        reply = await tap.end_turn(1, AgentReply(text="Hel", shows_calls=False), 0.0, 1.0)
    assert [piece.may_hold for piece in reply.unread] == ["call"]
    assert replaying.misses == []
