"""Embeddings from a real HTTP server that speaks OpenAI's form."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from tests.fakes.evidence import answered
from tests.fakes.surroundings import surroundings_at

from vivavoce.assertions.similar import Similar
from vivavoce.connectors.embeddings import EmbeddingsConnector
from vivavoce.errors import CallFailed
from vivavoce.model.message import Message
from vivavoce.model.verdict import Outcome
from vivavoce.protocols import Helpers, ModelRequest

Answer = Callable[[dict[str, Any]], Any]


def by_letters(body: dict[str, Any]) -> dict[str, Any]:
    """A vector that counts three letters; the rows come in the wrong order."""
    rows = [
        {"index": at, "embedding": [text.count("a"), text.count("b"), text.count("c") + 1]}
        for at, text in enumerate(body["input"])
    ]
    return {"data": rows[::-1], "usage": {"prompt_tokens": 7}}


@asynccontextmanager
async def connected(answer: Answer) -> AsyncIterator[EmbeddingsConnector]:
    async def embeddings(request: web.Request) -> web.Response:
        return web.json_response(answer(await request.json()))

    app = web.Application()
    app.router.add_post("/v1/embeddings", embeddings)
    async with TestServer(app) as server, surroundings_at(".") as around:
        yield EmbeddingsConnector("e", {"host": str(server.make_url("")), "model": "m"}, around)


def asked(*texts: str) -> ModelRequest:
    return ModelRequest(messages=[Message(role="user", content=text) for text in texts])


async def test_each_text_gets_its_vector_in_order():
    async with connected(by_letters) as connector:
        reply = await connector.complete(asked("aab", "c"))
    assert reply.data == [[2, 1, 1], [0, 0, 2]]
    assert reply.usage is not None
    assert reply.usage.input_tokens == 7


@pytest.mark.parametrize(
    "answer",
    [{}, {"data": []}, {"data": [{"embedding": [1]}]}, {"data": [{"embedding": "x"}, {"embedding": []}]}, [], "no"],
)
async def test_an_answer_without_a_vector_for_each_text_is_an_error(answer: Any):
    async with connected(lambda _: answer) as connector:
        with pytest.raises(CallFailed, match="no embedding for each of 2 texts"):
            await connector.complete(asked("a", "b"))


def helped_by(connector: Any) -> Helpers:
    from msgspec import structs
    from tests.fakes.evidence import helpers

    return structs.replace(helpers(), connector=lambda _: connector)


async def test_similar_compares_the_vectors():
    check = Similar(value="aaa", method="embedding", connector="e", threshold=0.9)
    async with connected(by_letters) as connector:
        near = await check.check(answered("aaaa"), helped_by(connector))
        far = await check.check(answered("bbbb"), helped_by(connector))
    assert near.passed
    assert far.outcome is Outcome.FAILED
    assert far.score is not None
    assert far.score < 0.2


async def test_vectors_that_cannot_be_had_are_a_broken_check():
    check = Similar(value="aaa", method="embedding", connector="e")
    async with connected(lambda _: {}) as connector:
        verdict = await check.check(answered("a"), helped_by(connector))
    assert (verdict.outcome, verdict.fault) == (Outcome.BROKEN, "judge")


@pytest.mark.parametrize("vector", [[0, 0, 0], [1.7e308, 1.7e308, 0]])
async def test_a_vector_without_a_direction_is_a_broken_check(vector: list[float]):
    check = Similar(value="aaa", method="embedding", connector="e")
    answer = {"data": [{"index": 0, "embedding": [1, 2, 3]}, {"index": 1, "embedding": vector}]}
    async with connected(lambda _: answer) as connector:
        verdict = await check.check(answered("a"), helped_by(connector))
    assert (verdict.outcome, verdict.fault) == (Outcome.BROKEN, "judge")


@pytest.mark.parametrize("length", [1e-200, 1e200])
async def test_vectors_of_any_length_are_compared_by_their_direction(length: float):
    check = Similar(value="aaa", method="embedding", connector="e")
    answer = {"data": [{"index": index, "embedding": [length, 2 * length]} for index in (0, 1)]}
    async with connected(lambda _: answer) as connector:
        verdict = await check.check(answered("a"), helped_by(connector))
    assert verdict.passed


@pytest.mark.parametrize("fields", [{"method": "embedding"}, {"connector": "e"}, {"method": "ratio", "connector": "e"}])
def test_a_connector_belongs_to_embeddings_and_only_to_them(fields: dict[str, Any]):
    with pytest.raises(ValueError, match="belong together"):
        Similar(value="x", **fields)
