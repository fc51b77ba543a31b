"""The way from `viva mcp-mock` to the run: which conversation answers, and when the real server is asked."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from vivavoce.errors import VivaError
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.project.redaction import Secrets
from vivavoce.sight.interventions import CaseInterventions
from vivavoce.sight.mcp_calls.mcp_responder import McpResponder
from vivavoce.sight.mcp_calls.responder_server import SHARED, ResponderServer
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.mcp_exchange import CALL

REFUND = {"server": "shop", "method": CALL, "params": {"name": "refund", "arguments": {}}}


async def no_script(ref: str, _: object) -> None:
    raise AssertionError(ref)


def responder(*answers: str) -> McpResponder:
    mocks = read_frontend_tools([{"name": "refund", "answer": answer} for answer in answers])
    return McpResponder(Censor(Secrets()), None, CaseInterventions((), mocks, no_script))


@pytest.fixture
async def server() -> AsyncIterator[ResponderServer]:
    made = ResponderServer(0, lambda: responder("outside"))
    await made.start()
    yield made
    await made.close()


async def post(url: str, body: Any) -> Any:
    async with aiohttp.ClientSession() as session, session.post(url, json=body) as answer:
        return await answer.json()


async def test_each_conversation_has_an_address_of_its_own(server: ResponderServer):
    first, second = server.add(responder("one")), server.add(responder("two"))
    assert "one" in str(await post(first, REFUND))
    assert "two" in str(await post(second, REFUND))


async def test_without_an_address_the_only_conversation_answers_or_the_run(server: ResponderServer):
    assert "outside" in str(await post(server.root, REFUND))
    only = responder("only")
    server.add(only)
    assert "only" in str(await post(server.root, REFUND))
    server.remove(only)
    assert "outside" in str(await post(server.root, REFUND))


async def test_calls_that_cannot_be_told_apart_are_refused_and_break_every_conversation(server: ResponderServer):
    both = [responder("one"), responder("two")]
    for one in both:
        server.add(one)
    assert SHARED in str(await post(server.root, REFUND))
    assert [one.problems for one in both] == [[SHARED], [SHARED]]


async def test_a_conversation_that_is_over_answers_nothing(server: ResponderServer):
    gone = responder("one")
    address = server.add(gone)
    server.remove(gone)
    assert "this conversation is over" in str(await post(address, REFUND))


async def test_what_no_mock_answers_is_asked_of_the_real_server(server: ResponderServer):
    plain = McpResponder(Censor(Secrets()))
    asked = await post(server.add(plain), REFUND)
    assert list(asked) == ["ask"]
    real = {"result": {"content": [{"type": "text", "text": "done"}]}}
    assert (await post(f"{server.root}/asked/{asked['ask']}", real))["answer"] == real
    assert [call.name for _, call in plain.calls] == ["refund"]
    assert "nobody asked for this" in str(await post(f"{server.root}/asked/{asked['ask']}", real))


@pytest.mark.parametrize("body", [5, {"server": "shop"}, {**REFUND, "params": []}])
async def test_what_is_no_request_is_refused(server: ResponderServer, body: Any):
    assert "viva: no request" in str(await post(server.root, body))


async def test_an_answer_of_the_server_that_cannot_be_read_is_an_error(server: ResponderServer):
    asked = await post(server.add(McpResponder(Censor(Secrets()))), REFUND)
    assert "cannot be read" in str(await post(f"{server.root}/asked/{asked['ask']}", [1]))


async def test_a_port_that_is_taken_is_said(server: ResponderServer):
    await server.start()
    port = int(server.root.rpartition(":")[2])
    with pytest.raises(VivaError, match=f"mcp_mock: cannot listen on port {port}"):
        await ResponderServer(port, responder).start()
