"""A mock and the run that it belongs to, over the real loopback server."""

import os
import subprocess
import sys
from collections.abc import AsyncGenerator

import aiohttp
import pytest

from vivavoce.mcp_server.mock.run_responder import RunResponder, address_of_run
from vivavoce.notation.tool_stubs import read_frontend_tools
from vivavoce.project.redaction import Secrets
from vivavoce.sight.interventions import CaseInterventions
from vivavoce.sight.mcp_calls.mcp_responder import McpResponder
from vivavoce.sight.mcp_calls.responder_server import SHARED, VARIABLE, ResponderServer
from vivavoce.sight.tapes.masking import Censor
from vivavoce.sight.tapes.mcp_exchange import McpAnswer, McpRequest

CALL = McpRequest(server="shop", method="tools/call", params={"name": "refund", "arguments": {"order": "A-17"}})
DONE = McpAnswer(result={"content": [{"type": "text", "text": "done"}]})
FIND = "from vivavoce.mcp_server.mock.run_responder import address_of_run; print(address_of_run())"


def responder(*mocks: object) -> McpResponder:
    async def no_script(ref: str, _: object) -> None:
        raise AssertionError(ref)

    return McpResponder(Censor(Secrets()), None, CaseInterventions((), read_frontend_tools(list(mocks)), no_script))


async def ask_server() -> McpAnswer:
    return DONE


async def nobody() -> McpAnswer:
    raise AssertionError("the server was asked")


@pytest.fixture
async def server() -> AsyncGenerator[ResponderServer]:
    serving = ResponderServer(0, responder)
    await serving.start()
    yield serving
    await serving.close()


@pytest.fixture
async def session() -> AsyncGenerator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


async def test_the_run_may_want_the_servers_answer_and_sees_the_call(server: ResponderServer, session):
    conversation = responder()
    assert await RunResponder(server.add(conversation), session, []).answer(CALL, ask_server) == DONE
    assert [(call.name, call.args, call.result) for _, call in conversation.calls] == [
        ("refund", {"order": "A-17"}, "done")
    ]


async def test_each_conversation_has_its_own_mocks(server: ResponderServer, session):
    one, two = server.add(responder({"name": "refund", "answer": "no"})), server.add(responder())
    mocked = await RunResponder(one, session, []).answer(CALL, nobody)
    assert mocked.result is not None
    assert mocked.result["content"] == [{"type": "text", "text": "no"}]
    assert await RunResponder(two, session, []).answer(CALL, ask_server) == DONE


async def test_a_server_for_all_conversations_serves_the_one_that_is_under_way(server: ResponderServer, session):
    only = responder({"name": "refund", "answer": "no"})
    server.add(only)
    await RunResponder(server.root, session, []).answer(CALL, nobody)
    assert len(only.calls) == 1


async def test_several_that_cannot_be_told_apart_are_a_problem_of_all(server: ResponderServer, session):
    responders = [responder(), responder()]
    for one in responders:
        server.add(one)
    answer = await RunResponder(server.root, session, []).answer(CALL, nobody)
    assert answer.error is not None
    assert [one.problems for one in responders] == [[SHARED], [SHARED]]


async def test_a_conversation_that_is_over_answers_no_more(server: ResponderServer, session):
    conversation = responder()
    address = server.add(conversation)
    server.remove(conversation)
    answer = await RunResponder(address, session, []).answer(CALL, nobody)
    assert answer.error is not None
    assert "over" in answer.error["message"]


async def test_a_run_that_has_gone_is_told(server: ResponderServer, session):
    address = server.add(responder())
    await server.close()
    answer = await RunResponder(address, session, []).answer(CALL, nobody)
    assert answer.error is not None
    assert "does not answer" in answer.error["message"]


def test_the_run_is_found_in_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(VARIABLE, "http://127.0.0.1:1/c/x")
    assert address_of_run() == "http://127.0.0.1:1/c/x"


@pytest.mark.process
@pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="only /proc shows the environment of others")
def test_the_run_is_found_above_a_client_that_hands_on_few_variables():
    """As MCP clients do, which start their servers with PATH, HOME and little else."""
    inner = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {FIND!r}], env={{}})"
    env = {**os.environ, VARIABLE: "http://127.0.0.1:1/c/x"}
    done = subprocess.run([sys.executable, "-c", inner], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "http://127.0.0.1:1/c/x"
