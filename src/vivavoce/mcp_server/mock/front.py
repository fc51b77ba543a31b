"""What the agent's MCP client talks to: the SDK's server (1.x or 2.x), which asks a responder for every answer."""

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any

from vivavoce.errors import VivaError
from vivavoce.model.json_value import JsonObject
from vivavoce.sight.tapes.mcp_exchange import INITIALIZE, McpAnswer, McpRequest
from vivavoce.targets.mcp.link import plain, sdk_module
from vivavoce.version import __version__

Answer = Callable[[McpRequest], Awaitable[McpAnswer]]

_METHODS = {
    "tools/list": ("tools", "ListTools"),
    "tools/call": ("tools", "CallTool"),
    "resources/list": ("resources", "ListResources"),
    "resources/templates/list": ("resources", "ListResourceTemplates"),
    "resources/read": ("resources", "ReadResource"),
    "prompts/list": ("prompts", "ListPrompts"),
    "prompts/get": ("prompts", "GetPrompt"),
}
"""Method → the capability it belongs to, and the beginning of the names of the SDK's classes for it."""


async def make_front(name: str, answer: Answer) -> Any:
    """The SDK's server, with the abilities of the real one. Raises VivaError when these cannot be had."""
    hello = await answer(McpRequest(server=name, method=INITIALIZE))
    if hello.result is None:
        raise VivaError(str((hello.error or {}).get("message")))
    able: Mapping[str, object] = hello.result.get("capabilities") or {}
    info: JsonObject = hello.result.get("serverInfo") or {}
    server = sdk_module("mcp.server.lowlevel").Server(
        str(info.get("name") or name),
        version=str(info.get("version", __version__)),
        instructions=hello.result.get("instructions"),
    )
    types = sdk_module("mcp.types")
    for method, (capability, stem) in _METHODS.items():
        if able.get(capability) is not None:
            _add(server, types, method, stem, _handler(name, method, getattr(types, f"{stem}Result"), answer))
    return server


def _handler(name: str, method: str, result_type: Any, answer: Answer) -> Callable[[Any], Awaitable[Any]]:
    async def handle(params: Any) -> Any:
        given = {} if params is None else plain(params)
        asked = {key: value for key, value in given.items() if key not in ("_meta", "cursor")}
        answered = await answer(McpRequest(server=name, method=method, params=asked))
        if answered.result is None:
            raise _protocol_error(answered.error or {})
        return result_type.model_validate(answered.result)

    return handle


def _add(server: Any, types: Any, method: str, stem: str, handle: Callable[[Any], Awaitable[Any]]) -> None:
    if hasattr(server, "add_request_handler"):
        page = method.endswith("/list")
        params_type = types.PaginatedRequestParams if page else getattr(types, f"{stem}RequestParams")

        async def in_context(_context: Any, params: Any) -> Any:
            return await handle(params)

        server.add_request_handler(method, params_type, in_context)
        return

    async def wrapped(request: Any) -> Any:
        return types.ServerResult(await handle(request.params))

    server.request_handlers[getattr(types, f"{stem}Request")] = wrapped


def _protocol_error(error: JsonObject) -> Exception:
    """The SDK's own error, which the client gets as it is."""
    code, message = int(error.get("code") or 0), str(error.get("message") or "")
    module = import_module("mcp.shared.exceptions")
    if hasattr(module, "MCPError"):
        return module.MCPError(code, message)
    return module.McpError(sdk_module("mcp.types").ErrorData(code=code, message=message))
