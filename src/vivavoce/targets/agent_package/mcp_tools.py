"""MCP servers as tools: started once per target, shared by its conversations, ended with it."""

import asyncio
import tempfile
from collections.abc import Sequence
from contextlib import AsyncExitStack
from importlib import import_module
from typing import Any

import msgspec

from vivavoce.calling.connections import expand_options
from vivavoce.containment.user_errors import UserCode
from vivavoce.errors import CallFailed, UsageError
from vivavoce.metering.expenses import counted_as_setup
from vivavoce.model.json_value import is_object, json_equal
from vivavoce.notation.json_text import find_json
from vivavoce.project.variables import UndefinedVariable
from vivavoce.protocols import Surroundings, ToolSpec
from vivavoce.targets.agent_package.mcp_servers import McpServer
from vivavoce.targets.agent_package.tools import Tool, ToolFailed
from vivavoce.targets.call_payload import Context

MOST_PAGES = 100
LAST_WORDS = 500


class McpServers:
    """All servers of one package."""

    def __init__(self, servers: Sequence[McpServer], surroundings: Surroundings) -> None:
        if servers:
            _sdk("mcp")
        self._connections = [McpConnection(server, surroundings) for server in servers]

    async def tools(self) -> dict[str, Tool]:
        """Every tool of every server, as `server__tool`. Starts what is not running yet."""
        listed = await asyncio.gather(*(connection.tools() for connection in self._connections))
        return {name: tool for tools in listed for name, tool in tools.items()}

    async def close(self) -> None:
        await asyncio.gather(*(connection.close() for connection in self._connections))


class McpConnection:
    """One server. A task of its own holds the connection, since the SDK wants to leave where it entered."""

    def __init__(self, server: McpServer, surroundings: Surroundings) -> None:
        self._server = server
        self._surroundings = surroundings
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._tools: asyncio.Future[dict[str, Tool]] | None = None
        # The server writes to it as long as it runs.
        self._stderr = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115

    async def tools(self) -> dict[str, Tool]:
        """The server's tools; the first to ask starts it. Raises CallFailed when it cannot be had."""
        if self._tools is None:
            self._tools = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._hold(self._tools), name=f"mcp {self._server.id}")
        assert self._task is not None
        with counted_as_setup():
            await asyncio.wait((self._tools, self._task), return_when=asyncio.FIRST_COMPLETED)
        if not self._tools.done():
            raise self._did_not_start(self._task)
        return self._tools.result()

    async def close(self) -> None:
        """Ends the server; asking twice does no harm."""
        self._stop.set()
        if self._task is not None:
            # How it ends no longer matters to anyone.
            await asyncio.gather(self._task, return_exceptions=True)
        self._stderr.close()

    async def _hold(self, tools: "asyncio.Future[dict[str, Tool]]") -> None:
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(_sdk("mcp").Client(await self._transport(stack)))
            tools.set_result(await self._listed(client))
            await self._stop.wait()

    async def _transport(self, stack: AsyncExitStack) -> Any:
        server = self._server
        known, secrets = self._surroundings.project.config.variables, self._surroundings.secrets
        try:
            env = expand_options(server.env, known, secrets)
            headers = expand_options(server.headers, known, secrets)
            url = expand_options(server.url, known, secrets)
            args = expand_options(server.args, known, secrets)
        except UndefinedVariable as error:
            raise UsageError(f"MCP server {server.id!r}: {error}") from None
        if url is None:
            stdio = _sdk("mcp.client.stdio")
            parameters = stdio.StdioServerParameters(command=server.command, args=args, env=env, cwd=server.cwd)
            return stdio.stdio_client(parameters, errlog=self._stderr)
        for value in headers.values():
            secrets.add_header(value)
        http = _sdk("httpx2").AsyncClient(headers=headers, timeout=_sdk("httpx2").Timeout(30, read=None))
        return _sdk("mcp.client.streamable_http").streamable_http_client(
            url, http_client=await stack.enter_async_context(http)
        )

    async def _listed(self, client: Any) -> dict[str, Tool]:
        found: dict[str, Tool] = {}
        cursor: Any = None
        for _ in range(MOST_PAGES):
            page = await client.list_tools(cursor=cursor)
            for tool in page.tools:
                if self._server.tools is None or tool.name in self._server.tools:
                    made = self._tool(client, tool)
                    found[made.spec.name] = made
            cursor = page.next_cursor
            if not cursor:
                break
        return found

    def _tool(self, client: Any, tool: Any) -> Tool:
        async def run(given: Any, _ctx: Context) -> Any:
            if not is_object(given):
                raise ToolFailed(f"the arguments are no JSON object: {given!r}")
            with UserCode(lambda error: ToolFailed(f"{type(error).__name__}: {error}")):
                answer = await client.call_tool(tool.name, given)
            return _result_of(answer)

        spec = ToolSpec(
            name=f"{self._server.prefix}{tool.name}", description=tool.description or "", parameters=tool.input_schema
        )
        return Tool(spec, run)

    def _did_not_start(self, task: "asyncio.Task[None]") -> CallFailed | UsageError:
        error: Any = None if task.cancelled() else task.exception()
        while (inner := getattr(error, "exceptions", None)) is not None:
            error = inner[0]
        if isinstance(error, UsageError):
            return error
        self._stderr.seek(0)
        said = self._stderr.read().strip()[-LAST_WORDS:]
        where = self._server.url or self._server.command
        what = f"MCP server {self._server.id!r} ({where}) did not start: {error or 'it was closed'}"
        return CallFailed(f"{what}; it said: {said}" if said else what, fault="target")


def _result_of(answer: Any) -> Any:
    """A tool's structured result, else its text. Raises ToolFailed when the server calls it an error."""
    texts = [block.text if block.type == "text" else f"[{block.type}]" for block in answer.content]
    text = "\n".join(texts)
    if answer.is_error:
        raise ToolFailed(text or "the tool reported an error")
    value = answer.structured_content
    if value is None:
        found = find_json(text) if text.lstrip().startswith(("{", "[")) else None
        return text if found is None or found.repaired else found.value
    if is_object(value) and value.keys() == {"result"} and _says_the_same(text, value["result"]):
        # Servers wrap what is no object: the tool itself returned only the inside.
        return value["result"]
    return value


def _says_the_same(text: str, value: Any) -> bool:
    if isinstance(value, str):
        return text == value
    try:
        return json_equal(msgspec.json.decode(text), value)
    except (ValueError, RecursionError):
        return not isinstance(value, dict)


def _sdk(module: str) -> Any:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise UsageError(
            f"this agent uses MCP servers, and {error.name!r} is not installed",
            hint="pip install 'vivavoce[mcp]'",
        ) from None
