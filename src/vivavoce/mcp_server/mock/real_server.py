"""The real MCP server behind a mock: started or connected to when it is first needed."""

import os
import shlex
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from vivavoce.containment.user_errors import UserCode
from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonObject
from vivavoce.sight.mcp_calls.responder_server import VARIABLE
from vivavoce.sight.tapes.mcp_exchange import INITIALIZE, McpAnswer, McpRequest, refused
from vivavoce.targets.mcp.link import McpAddress, McpLink, listed, plain

_LISTS = {
    "tools/list": ("list_tools", "tools"),
    "resources/list": ("list_resources", "resources"),
    "resources/templates/list": ("list_resource_templates", "resourceTemplates"),
    "prompts/list": ("list_prompts", "prompts"),
}


class _Refused(Exception):
    """The server answered with an error of the protocol."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class RealServer:
    """One server, by its command or its address."""

    def __init__(self, name: str, command: Sequence[str], url: str | None, headers: dict[str, str]) -> None:
        self.name = name
        self.is_there = bool(command or url)
        env = {name: value for name, value in os.environ.items() if name != VARIABLE}
        program, *args = command or [""]
        address = McpAddress(command=program, args=args, env=env, url=url, headers=headers)
        self._link = McpLink(name, lambda: address, sdk_judges=False)

    async def ask(self, request: McpRequest) -> McpAnswer:
        """Returns what the server answers, its errors included."""
        try:
            client = await self._link.client()
            with UserCode(self._problem):
                return McpAnswer(result=await _asked(client, request.method, request.params))
        except _Refused as problem:
            return McpAnswer(error={"code": problem.code, "message": str(problem)})
        except CallFailed as problem:
            return refused(problem.what)

    async def close(self) -> None:
        await self._link.close()

    def _problem(self, error: BaseException) -> Exception:
        told = getattr(error, "error", error)
        code, message = getattr(told, "code", None), getattr(told, "message", None)
        if isinstance(code, int) and isinstance(message, str) and self._link.heard.sent_error(code, message):
            return _Refused(code, message)
        what = f"MCP server {self.name!r} did not answer: {type(error).__name__}: {error}"
        return CallFailed(f"{what}{self._link.last_words()}", fault="target")


def name_of(command: Sequence[str], url: str | None) -> str:
    """What a server is called on tapes when nobody names it: the same on every machine."""
    if url:
        parts = urlsplit(url)
        return f"{parts.hostname}{parts.path}".rstrip("/")
    return shlex.join(PurePath(word).name or word for word in command) or "mocks"


async def _asked(client: Any, method: str, params: JsonObject) -> JsonObject:
    if method == INITIALIZE:
        return _introduction(client)
    if method in _LISTS:
        function, key = _LISTS[method]
        return {key: await listed(getattr(client, function), key)}
    if method == "tools/call":
        return plain(await client.call_tool(params["name"], params.get("arguments") or {}))
    if method == "resources/read":
        return plain(await client.read_resource(params["uri"]))
    return plain(await client.get_prompt(params["name"], params.get("arguments") or {}))


def _introduction(client: Any) -> JsonObject:
    """What a server says of itself; version 1 of the SDK keeps only what it can do."""
    if hasattr(client, "get_server_capabilities"):
        return {"capabilities": plain(client.get_server_capabilities())}
    found: JsonObject = {"capabilities": plain(client.server_capabilities)}
    if client.instructions:
        found["instructions"] = client.instructions
    if client.server_info is not None:
        found["serverInfo"] = plain(client.server_info)
    return found
