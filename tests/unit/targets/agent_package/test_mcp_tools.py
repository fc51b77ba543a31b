import asyncio
import os
import sys

import pytest
from tests.fakes.mcp_server import COMMAND, http_server
from tests.fakes.surroundings import surroundings_at

from vivavoce.errors import CallFailed, UsageError
from vivavoce.project.settings import Config
from vivavoce.targets.agent_package.mcp_servers import McpServer
from vivavoce.targets.agent_package.mcp_tools import McpServers
from vivavoce.targets.agent_package.tools import ToolFailed
from vivavoce.targets.call_payload import Context

NOBODY = Context()


@pytest.fixture
async def around(tmp_path):
    async with surroundings_at(tmp_path, Config(variables={"TOKEN": "t0psecret"})) as lent:
        yield lent


@pytest.mark.process
async def test_a_server_over_stdio_lists_and_runs_its_tools(around):
    servers = McpServers([McpServer(id="my.calc", env={"COLOUR": "blue"}, **COMMAND)], around)
    try:
        tools = await servers.tools()
        assert list(tools) == [
            f"my_calc__{name}" for name in ("add", "weather", "explode", "environment", "process_id")
        ]
        spec = tools["my_calc__add"].spec
        assert spec.description == "Adds two numbers."
        assert set(spec.parameters["properties"]) == {"a", "b"}

        async def run(name: str, /, **args):
            tool = tools[f"my_calc__{name}"].run
            assert tool is not None
            return await tool(args, NOBODY)

        assert await run("add", a=2, b=3) == 5
        assert await run("weather", city="Rome") == {"city": "Rome", "degrees": 21}
        assert await run("environment", name="COLOUR") == "blue"
        with pytest.raises(ToolFailed, match="explode"):
            await run("explode")
        with pytest.raises(ToolFailed, match=r"(?i)valid"):
            await run("add", a="many", b=3)
        with pytest.raises(ToolFailed, match="no JSON object"):
            await tools["my_calc__add"].run("{broken", NOBODY)  # pyright: ignore[reportOptionalCall]
    finally:
        await servers.close()


@pytest.mark.process
async def test_all_conversations_share_one_process_and_closing_ends_it(around):
    servers = McpServers([McpServer(id="calc", **COMMAND)], around)
    first, second = await asyncio.gather(servers.tools(), servers.tools())
    pids = [await tools["calc__process_id"].run({}, NOBODY) for tools in (first, second)]  # pyright: ignore
    assert pids[0] == pids[1]
    os.kill(pids[0], 0)
    await servers.close()
    await servers.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


async def test_a_server_over_http_gets_its_headers(around):
    async with http_server() as (url, seen):
        headers = {"Authorization": "Bearer ${TOKEN}"}
        servers = McpServers([McpServer(id="web", url=url, headers=headers, tools=["add"])], around)
        tools = await servers.tools()
        assert list(tools) == ["web__add"]
        assert await tools["web__add"].run({"a": 20, "b": 1}, NOBODY) == 21  # pyright: ignore
        await servers.close()
    assert {request.get("authorization") for request in seen} == {"Bearer t0psecret"}
    assert around.secrets.mask("t0psecret") == "***"


@pytest.mark.parametrize(
    ("server", "words"),
    [
        (McpServer(id="gone", command="/no/such/program"), "'gone' (/no/such/program) did not start"),
        (
            McpServer(id="rude", command=sys.executable, args=["-c", "import sys; sys.exit('no licence')"]),
            "it said: no licence",
        ),
        (McpServer(id="web", url="http://127.0.0.1:9/mcp"), "'web': nobody answers at http://127.0.0.1:9/mcp"),
    ],
)
async def test_a_server_that_cannot_be_had_is_told_every_time(around, server, words):
    servers = McpServers([server], around)
    for _ in range(2):
        with pytest.raises(CallFailed) as caught:
            await servers.tools()
        assert words in str(caught.value)
        assert caught.value.fault == "target"
    await servers.close()


async def test_an_undefined_variable_is_a_usage_error(around):
    servers = McpServers([McpServer(id="calc", env={"X": "${NOBODY}"}, **COMMAND)], around)
    with pytest.raises(UsageError, match="undefined variable"):
        await servers.tools()
    await servers.close()


async def test_without_the_sdk_the_user_is_told_what_to_install(around, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(UsageError, match=r"pip install 'vivavoce\[mcp\]'"):
        McpServers([McpServer(id="calc", **COMMAND)], around)


# ── declarations ──
