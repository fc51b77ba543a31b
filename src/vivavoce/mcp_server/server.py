"""The MCP server itself, on the official SDK, over standard input and output."""

import sys
from collections.abc import Collection, Mapping, Set
from functools import wraps
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

from vivavoce.errors import UsageError, VivaError, did_you_mean
from vivavoce.mcp_server.tools import INSTRUCTIONS, Tool, Tools
from vivavoce.model.json_value import JsonValue
from vivavoce.version import __version__

_SDKS = (("mcp.server.mcpserver", "MCPServer"), ("mcp.server.fastmcp", "FastMCP"))
"""Where version 2 and version 1 of the SDK have their server."""


def serve(root: Path, commands: Collection[str]) -> None:
    """Serves the project until the client goes. Raises UsageError without the SDK."""
    server = make_server(root, commands)
    # viva's own stream beside descriptor 1 would hide it from the SDK, which keeps it free of all other output.
    ours, sys.stdout = sys.stdout, sys.__stdout__ or sys.stdout
    try:
        server.run("stdio")
    finally:
        sys.stdout = ours


def make_server(root: Path, commands: Collection[str]) -> Any:
    """The SDK's server with one tool for each command that a coding agent needs."""
    module, name = _sdk()
    version = {"version": __version__} if name == "MCPServer" else {}
    refused: type[Exception] = import_module(f"{module.__name__}.exceptions").ToolError
    tools = Tools(root).offered(commands)
    known = {tool_name: frozenset(signature(tool).parameters) for tool_name, tool in tools.items()}
    strict = _strict(getattr(module, name), known, refused)
    server = strict("viva", instructions=INSTRUCTIONS, log_level="WARNING", **version)
    for tool_name, tool in tools.items():
        server.tool(name=tool_name, structured_output=False)(_in_words(tool, refused))
    return server


def _strict(base: Any, known: Mapping[str, Set[str]], refused: type[Exception]) -> Any:
    """The SDK's server that refuses arguments a tool does not have, and empty ones.

    The SDK drops unknown ones: `path` instead of `paths` would run other cases than meant, and they may pass.
    """

    async def call_tool(server: Any, name: str, arguments: Mapping[str, JsonValue], *more: Any) -> Any:
        if (problem := problem_of(arguments, known.get(name, frozenset(arguments)))) is not None:
            raise refused(problem)
        return await base.call_tool(server, name, arguments, *more)

    return type("VivaServer", (base,), {"call_tool": call_tool})


def problem_of(arguments: Mapping[str, JsonValue], known: Set[str]) -> str | None:
    """What is wrong with the arguments of a tool; None when they can be taken as they are."""
    for key, value in arguments.items():
        if key not in known:
            hint = did_you_mean(key, sorted(known)) or f"it has {', '.join(sorted(known))}"
            return f"unknown argument {key!r} ({hint})"
        if value == [] or (isinstance(value, str) and not value.strip()):
            return f"{key} is empty: leave it out, or say what is meant"
    return None


def _sdk() -> tuple[Any, str]:
    for module, name in _SDKS:
        try:
            return import_module(module), name
        except ModuleNotFoundError:
            continue
    raise UsageError("the MCP SDK is not installed", at="viva mcp", hint="pip install 'vivavoce[mcp]'")


def _in_words(tool: Tool, refused: type[Exception]) -> Tool:
    """The tool with viva's errors as errors of the tool, which the client shows its model."""

    @wraps(tool)
    async def call(**arguments: Any) -> str:
        try:
            return await tool(**arguments)
        except VivaError as problem:
            raise refused(str(problem)) from None

    return call
