"""A model that is busy: asked again, later, and only as long as it makes sense. A real server, a real client."""

import time
from pathlib import Path

import pytest
from tests.fakes.openai_server import OpenAiServer, Reply
from tests.fakes.surroundings import surroundings_at

from vivavoce.calling.connections import find_connector
from vivavoce.calling.polite_connector import next_wait
from vivavoce.errors import CallFailed, TurnedAway
from vivavoce.metering.expenses import Expenses
from vivavoce.model.message import Message
from vivavoce.project.settings import Config, ConnectorConfig, Price
from vivavoce.protocols import ModelRequest

HELLO = ModelRequest(messages=[Message(role="user", content="hi")])


def config(server: OpenAiServer, **more: object) -> Config:
    connector = ConnectorConfig(type="openai", options={"host": server.url, "model": "m-1"}, **more)
    return Config(connectors={"gpt": connector}, prices={"m-*": Price(1.0, 2.0)})


async def ask(server: OpenAiServer, root: Path, **more: object) -> tuple[str, Expenses]:
    async with surroundings_at(root, config(server, **more)) as around:
        with Expenses() as expenses:
            return (await find_connector("gpt", around).complete(HELLO)).text, expenses


@pytest.mark.parametrize("status", [429, 503, 529])
async def test_a_busy_server_is_asked_again_when_it_said_and_the_wait_is_told(tmp_path, status):
    busy = Reply(status=status, headers={"Retry-After": "0.1"})
    async with OpenAiServer(busy, busy, Reply("hello")) as server:
        began = time.monotonic()
        text, expenses = await ask(server, tmp_path)
    assert text == "hello"
    assert time.monotonic() - began >= 0.2
    assert len(server.requests) == 3
    assert [note.partition(", waited")[0] for note in expenses.notes] == [f"turn 1: HTTP {status} from gpt"] * 2


@pytest.mark.parametrize("status", [400, 401, 404, 500, 502])
async def test_any_other_error_is_told_at_once(tmp_path, status):
    async with OpenAiServer(Reply(status=status)) as server:
        with pytest.raises(CallFailed, match=f"HTTP {status}"):
            await ask(server, tmp_path)
    assert len(server.requests) == 1


async def test_a_server_that_is_not_there_is_not_asked_again(tmp_path):
    async with OpenAiServer() as server:
        pass
    async with surroundings_at(tmp_path, config(server)) as around:
        with Expenses() as expenses:
            with pytest.raises(CallFailed, match="cannot connect"):
                await find_connector("gpt", around).complete(HELLO)
            assert expenses.notes == []


async def test_a_server_that_stays_busy_is_given_up(tmp_path):
    async with OpenAiServer(Reply(status=429, headers={"retry-after-ms": "1"}, body={"error": "no"})) as server:
        with pytest.raises(TurnedAway, match="it did so 8 times") as caught:
            await ask(server, tmp_path)
    assert caught.value.fault == "target"
    assert len(server.requests) == 8


async def test_a_server_that_asks_for_an_hour_is_given_up_at_once(tmp_path):
    async with OpenAiServer(Reply(status=429, headers={"Retry-After": "3600"})) as server:
        with pytest.raises(TurnedAway, match="left alone for 1h"):
            await ask(server, tmp_path)
    assert len(server.requests) == 1


async def test_nobody_waits_longer_than_the_case_may_take(tmp_path):
    async with OpenAiServer(Reply(status=503, headers={"Retry-After": "30"})) as server:
        began = time.monotonic()
        async with surroundings_at(tmp_path, config(server)) as around:
            with Expenses() as expenses:
                expenses.patience_s = 10.0
                with pytest.raises(TurnedAway, match="more than the time limit of the case"):
                    await find_connector("gpt", around).complete(HELLO)
    assert time.monotonic() - began < 25


async def test_many_short_waits_are_one_long_one(tmp_path):
    busy = Reply(status=503, headers={"retry-after-ms": "100"})
    async with OpenAiServer(busy) as server, surroundings_at(tmp_path, config(server)) as around:
        with Expenses() as expenses:
            expenses.patience_s = 0.25
            with pytest.raises(TurnedAway, match="more than the time limit of the case"):
                await find_connector("gpt", around).complete(HELLO)
    # Chance stretches a wait of 100 ms to at most 175 ms: one always fits, three never do.
    assert 1 <= len(expenses.notes) <= 2


async def test_tokens_get_their_price(tmp_path):
    used = {"prompt_tokens": 1_000_000, "completion_tokens": 500_000}
    async with OpenAiServer(Reply("hi", usage=used)) as server, surroundings_at(tmp_path, config(server)) as around:
        reply = await find_connector("gpt", around).complete(HELLO)
    assert reply.usage is not None
    assert reply.usage.cost == pytest.approx(2.0)


def test_waits_double_and_no_two_callers_wait_alike():
    assert [next_wait(None, tries, lambda: 1.0) for tries in (1, 2, 3, 10)] == [0.5, 1.0, 2.0, 30.0]
    assert next_wait(None, 3, lambda: 0.0) == 1.0


def test_what_is_asked_for_is_never_cut_short():
    assert next_wait(4.0, 1, lambda: 0.0) == 4.0
    assert 4.0 < next_wait(4.0, 1, lambda: 1.0) <= 5.0
