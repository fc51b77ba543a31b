"""`viva mcp-mock` between a real MCP client and a real MCP server, alone and in a run."""

import asyncio
import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from tests.cli.conftest import VIVA, VivaProject

pytestmark = pytest.mark.process

SERVER = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("shop", instructions="Sells things.")

@server.tool()
def refund(order: str) -> dict[str, str]:
    "Pays the money of an order back."
    with open("refunds.txt", "a") as file:
        file.write(order)
    return {"status": "done"}

@server.resource("shop://hours")
def hours() -> str:
    "When the shop is open."
    return "9-17"

server.run("stdio")
"""
AGENT = f"""
import asyncio, json, sys
from mcp import Client, StdioServerParameters, stdio_client

async def main():
    server = StdioServerParameters(command={str(VIVA)!r}, args=["mcp-mock", "--", {sys.executable!r}, "server.py"])
    async with Client(stdio_client(server)) as client:
        order = json.load(sys.stdin)["messages"][-1]["content"].split()[-1]
        answer = await client.call_tool("refund", {{"order": order}})
        print("The shop says", answer.content[0].text)

asyncio.run(main())
"""


@pytest.fixture
def shop(tmp_path: Path) -> VivaProject:
    project = VivaProject(tmp_path)
    project.write("server.py", SERVER)
    return project


@asynccontextmanager
async def client(root: Path, *arguments: str) -> AsyncGenerator[Any]:
    mock = StdioServerParameters(command=str(VIVA), args=["mcp-mock", *arguments], cwd=str(root))
    async with Client(stdio_client(mock)) as opened:
        yield opened


async def refund(opened: Any, order: str = "A-17") -> Any:
    return (await opened.call_tool("refund", {"order": order})).structured_content


async def test_mocks_answer_and_everything_else_is_the_real_servers(shop: VivaProject):
    shop.write("mocks.yaml", "- name: refund\n  when: [{args: {order: ^B}, answer: {status: refused}}]\n  error: no\n")
    async with client(shop.root, "--mocks", "mocks.yaml", "--", sys.executable, "server.py") as opened:
        assert opened.instructions == "Sells things."
        tools: Any = (await opened.list_tools()).tools
        assert [(tool.name, tool.description) for tool in tools] == [("refund", "Pays the money of an order back.")]
        assert await refund(opened, "B-1") == {"status": "refused"}
        assert (await opened.call_tool("refund", {"order": "A-17"})).is_error
        assert (await opened.read_resource("shop://hours")).contents[0].text == "9-17"
    assert not (shop.root / "refunds.txt").exists()


async def test_a_recorded_server_is_replayed_without_it(shop: VivaProject):
    command = ("--", sys.executable, "server.py")
    async with client(shop.root, "--record", "tapes", *command) as opened:
        assert await refund(opened) == {"status": "done"}
        await opened.read_resource("shop://hours")
    assert (shop.root / "refunds.txt").read_text() == "A-17"
    (shop.root / "server.py").unlink()
    async with client(shop.root, "--replay", "tapes", *command) as opened:
        assert opened.instructions == "Sells things."
        assert await refund(opened) == {"status": "done"}
        assert (await opened.read_resource("shop://hours")).contents[0].text == "9-17"
        with pytest.raises(Exception, match="no recording fits this request"):
            await refund(opened, "A-18")
    assert (shop.root / "refunds.txt").read_text() == "A-17"


async def test_both_sides_may_be_streamable_http(shop: VivaProject):
    shop.write("mocks.yaml", "- {name: refund, answer: {status: mocked}}\n")
    inner = await asyncio.create_subprocess_exec(
        str(VIVA), "mcp-mock", "--http", "0", "--", sys.executable, "server.py",
        cwd=shop.root, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    url = await _address(inner)
    outer = await asyncio.create_subprocess_exec(
        str(VIVA), "mcp-mock", "--http", "0", "--mocks", "mocks.yaml", "--url", url,
        cwd=shop.root, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        async with Client(url) as opened:
            assert await refund(opened) == {"status": "done"}
        async with Client(await _address(outer)) as opened:
            assert await refund(opened) == {"status": "mocked"}
            assert (await opened.read_resource("shop://hours")).contents[0].text == "9-17"
    finally:
        for process in (outer, inner):
            process.terminate()
            await process.communicate()
    assert (shop.root / "refunds.txt").read_text() == "A-17"


async def _address(process: "asyncio.subprocess.Process") -> str:
    assert process.stderr is not None
    told = (await process.stderr.readline()).decode()
    assert "listens at http://127.0.0.1:" in told, told
    return told.split()[-1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "nothing to answer from"),
        (("--record", "x", "--replay", "y", "--", "z"), "opposite things"),
        (("--mocks", "none.yaml", "--", sys.executable, "server.py"), "none.yaml: cannot be read"),
        (("--mocks", "bad.yaml", "--", sys.executable, "server.py"), "no tool 'refnd' (did you mean 'refund'?)"),
        (("--replay", "tapes", "--", "x"), "no tape of the MCP server 'x'"),
        (("--header", "nonsense", "--url", "http://127.0.0.1:1/mcp"), "NAME:VALUE"),
    ],
)
def test_what_cannot_be_is_refused(shop: VivaProject, arguments: tuple[str, ...], told: str):
    shop.write("bad.yaml", "- {name: refnd, answer: 1}\n")
    done = shop.viva("mcp-mock", *arguments)
    assert done.code == 2, done.text
    assert told in done.err


def test_in_a_run_the_mocks_faults_and_tapes_are_those_of_the_case(shop: VivaProject):
    shop.write("agent.py", AGENT)
    shop.write("viva.yaml", f"agents: {{bot: {{cmd: [{sys.executable}, agent.py], mcp_mock: true}}}}\n")
    says: Any = {"type": "contains"}
    mocked = {
        "id": "mocked",
        "input": "Refund B-1",
        "mocks": [{"name": "refund", "answer": {"status": "refused"}}],
        "assert": [{**says, "value": "refused"}, {"type": "tool_called", "value": "refund"}],
    }
    failing = {
        "id": "failing",
        "input": "Refund B-2",
        "faults": [{"at": "tool", "name": "refund", "kind": "error", "message": "the till is closed"}],
        "assert": {**says, "value": "till is closed"},
    }
    real = {"id": "real", "input": "Refund A-17", "assert": {**says, "value": "done"}}
    shop.write("cases.jsonl", "".join(json.dumps(case) + "\n" for case in (mocked, failing, real)))
    recorded = shop.viva("test", "-i", "cases.jsonl", "-n", "bot", "--record", "tapes")
    assert recorded.code == 0, recorded.text
    assert (shop.root / "refunds.txt").read_text() == "A-17"
    (shop.root / "server.py").unlink()
    replayed = shop.viva("test", "-i", "cases.jsonl", "-n", "bot", "--replay", "tapes", "--replay-only")
    assert replayed.code == 0, replayed.text
    shop.write("cases.jsonl", json.dumps({**real, "input": "Refund A-18"}) + "\n")
    missed = shop.viva("test", "-i", "cases.jsonl", "-n", "bot", "--replay", "tapes", "--replay-only")
    assert missed.code == 1
    assert "no recording fits this request" in missed.out
    assert (shop.root / "refunds.txt").read_text() == "A-17"


def test_a_mock_that_nothing_asked_for_is_an_error_of_the_case(shop: VivaProject):
    shop.write("viva.yaml", "agents: {bot: {cmd: [echo, hello], mcp_mock: true}, plain: {cmd: [echo, hello]}}\n")
    case = {"id": "a", "input": "hi", "mocks": [{"name": "refund", "answer": 1}]}
    shop.write("cases.jsonl", json.dumps(case) + "\n")
    unasked = shop.viva("test", "-i", "cases.jsonl", "-n", "bot")
    assert unasked.code == 1
    assert "no `viva mcp-mock` asked for its answers" in unasked.out
    refused = shop.viva("test", "-i", "cases.jsonl", "-n", "plain")
    assert refused.code == 2
    assert "`mcp_mock: true`" in refused.err
