"""The MCP server itself, on the official SDK, over standard input and output."""

import sys
from collections.abc import Collection
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

from vivavoce.errors import UsageError, VivaError
from vivavoce.mcp_server.tools import INSTRUCTIONS, Tool, Tools
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
    server = getattr(module, name)("viva", instructions=INSTRUCTIONS, log_level="WARNING", **version)
    refused: type[Exception] = import_module(f"{module.__name__}.exceptions").ToolError
    for tool_name, tool in Tools(root).offered(commands).items():
        server.tool(name=tool_name, structured_output=False)(_in_words(tool, refused))
    return server


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
