"""MCP servers as tools: started once per target, shared by its conversations, ended with it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from vivavoce.calling.connections import expand_options
from vivavoce.containment.user_errors import UserCode
from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.notation.mcp_results import text_of_result, value_of_result
from vivavoce.project.variables import UndefinedVariable
from vivavoce.protocols import Surroundings, ToolSpec
from vivavoce.targets.agent_package.mcp_servers import McpServer
from vivavoce.targets.agent_package.tools import Tool, ToolFailed
from vivavoce.targets.call_payload import Context
from vivavoce.targets.mcp.link import McpAddress, McpLink, listed, plain, sdk_module


class McpServers:
    """All servers of one package."""

    def __init__(self, servers: Sequence[McpServer], surroundings: Surroundings) -> None:
        if servers:
            sdk_module("mcp")
        self._connections = [McpConnection(server, surroundings) for server in servers]

    async def tools(self) -> dict[str, Tool]:
        """Every tool of every server, as `server__tool`. Starts what is not running yet."""
        found = await asyncio.gather(*(connection.tools() for connection in self._connections))
        return {name: tool for tools in found for name, tool in tools.items()}

    async def close(self) -> None:
        await asyncio.gather(*(connection.close() for connection in self._connections))


class McpConnection:
    """One server and the tools it was asked for."""

    def __init__(self, server: McpServer, surroundings: Surroundings) -> None:
        self._server = server
        self._surroundings = surroundings
        self._link = McpLink(server.id, self._address)
        self._tools: asyncio.Task[dict[str, Tool]] | None = None

    async def tools(self) -> dict[str, Tool]:
        """The server's tools; the first to ask starts it. Raises CallFailed when it cannot be reached."""
        if self._surroundings.tapes is None:
            await self._link.client()
        if self._tools is None:
            self._tools = asyncio.create_task(self._listed())
        return await asyncio.shield(self._tools)

    async def close(self) -> None:
        """Ends the server; asking twice does no harm."""
        await self._link.close()

    def _address(self) -> McpAddress:
        server = self._server
        known, secrets = self._surroundings.project.config.variables, self._surroundings.secrets
        try:
            headers: dict[str, str] = expand_options(server.headers, known, secrets)
            address = McpAddress(
                command=server.command,
                args=expand_options(server.args, known, secrets),
                env=expand_options(server.env, known, secrets),
                cwd=server.cwd,
                url=expand_options(server.url, known, secrets),
                headers=headers,
            )
        except UndefinedVariable as error:
            raise UsageError(f"MCP server {server.id!r}: {error}") from None
        for value in headers.values():
            secrets.add_header(value)
        return address

    async def _listed(self) -> dict[str, Tool]:
        async def ask() -> JsonObject:
            return {"tools": await listed((await self._link.client()).list_tools, "tools")}

        offered = self._server.tools
        tools = (await self._asked("tools/list", {}, ask))["tools"]
        made = [self._tool(tool) for tool in tools if offered is None or tool["name"] in offered]
        return {tool.spec.name: tool for tool in made}

    async def _asked(self, method: str, params: JsonObject, ask: Callable[[], Awaitable[JsonObject]]) -> JsonObject:
        """What the server answers; under tapes it may have answered before, and is not even started."""
        tapes = self._surroundings.tapes
        return await (ask() if tapes is None else tapes.ask_mcp(self._server.id, method, params, ask))

    def _tool(self, tool: JsonObject) -> Tool:
        name = str(tool["name"])

        async def run(given: JsonValue, _ctx: Context) -> JsonValue:
            if not is_object(given):
                raise ToolFailed(f"the arguments are no JSON object: {given!r}")

            async def ask() -> JsonObject:
                client = await self._link.client()
                try:
                    with UserCode(lambda error: ToolFailed(f"{type(error).__name__}: {error}")):
                        return plain(await client.call_tool(name, given))
                except ToolFailed as failure:
                    return {"content": [{"type": "text", "text": str(failure)}], "isError": True}

            answer = await self._asked("tools/call", {"name": name, "arguments": given}, ask)
            if answer.get("isError"):
                raise ToolFailed(text_of_result(answer) or "the tool reported an error")
            return value_of_result(answer)

        spec = ToolSpec(
            name=f"{self._server.prefix}{name}",
            description=str(tool.get("description") or ""),
            parameters=tool.get("inputSchema") or {},
        )
        return Tool(spec, run)
