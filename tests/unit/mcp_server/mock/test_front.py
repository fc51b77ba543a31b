"""The agent's MCP client and the front of a mock, in one process."""

from typing import Any

import pytest
from mcp import Client, MCPError

from vivavoce.errors import VivaError
from vivavoce.mcp_server.mock.front import make_front
from vivavoce.sight.tapes.mcp_exchange import McpAnswer, McpRequest, refused

TOOL = {"name": "refund", "inputSchema": {"type": "object"}}


def answering(**answers: Any) -> Any:
    """A responder that has an answer for each method."""
    asked: list[McpRequest] = []

    async def answer(request: McpRequest) -> McpAnswer:
        asked.append(request)
        found = answers[request.method.replace("/", "_")]
        return found if isinstance(found, McpAnswer) else McpAnswer(result=found)

    return answer, asked


async def test_it_introduces_itself_as_the_real_server_with_what_that_can_do():
    hello = {"capabilities": {"tools": {}}, "serverInfo": {"name": "shop", "version": "7"}, "instructions": "sells"}
    answer, _ = answering(initialize=hello, tools_list={"tools": [TOOL]})
    async with Client(await make_front("x", answer)) as client:
        assert client.instructions == "sells"
        assert client.server_capabilities.tools is not None
        assert client.server_capabilities.resources is None
        assert client.server_capabilities.prompts is None
        assert [tool.name for tool in (await client.list_tools()).tools] == ["refund"]


async def test_a_call_brings_its_arguments_and_nothing_of_the_transport():
    done = {"content": [{"type": "text", "text": "done"}], "isError": False}
    answer, asked = answering(initialize={"capabilities": {"tools": {}}}, tools_call=done, tools_list={"tools": [TOOL]})
    async with Client(await make_front("shop", answer)) as client:
        result: Any = await client.call_tool("refund", {"order": "A-17"})
    assert result.content[0].text == "done"
    calls = [request for request in asked if request.method == "tools/call"]
    assert [request.params for request in calls] == [{"name": "refund", "arguments": {"order": "A-17"}}]


async def test_an_error_of_the_protocol_reaches_the_client_as_it_is():
    answer, _ = answering(
        initialize={"capabilities": {"tools": {}}},
        tools_call=McpAnswer(error={"code": -32602, "message": "Unknown tool"}),
        tools_list={"tools": [TOOL]},
    )
    async with Client(await make_front("shop", answer)) as client:
        with pytest.raises(MCPError, match="Unknown tool") as caught:
            await client.call_tool("nix", {})
    assert caught.value.code == -32602


async def test_a_server_that_cannot_be_had_is_told():
    answer, _ = answering(initialize=refused("MCP server 'shop' did not start"))
    with pytest.raises(VivaError, match="did not start"):
        await make_front("shop", answer)
