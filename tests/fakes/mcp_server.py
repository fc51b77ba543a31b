"""A real MCP server of a few tools: over stdio when run as a program, over HTTP as `http_server()`."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer

HERE = str(Path(__file__))
COMMAND = {"command": sys.executable, "args": [HERE]}


def make_server() -> MCPServer:
    server = MCPServer("calculator")

    @server.tool()
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    @server.tool()
    def weather(city: str) -> dict[str, Any]:
        """Tells the weather."""
        return {"city": city, "degrees": 21}

    @server.tool()
    def explode() -> str:
        """Always fails."""
        raise RuntimeError("boom")

    @server.tool()
    def environment(name: str) -> str:
        """What the server's environment says."""
        return os.environ.get(name, "nothing")

    @server.tool()
    def process_id() -> int:
        return os.getpid()

    return server


@asynccontextmanager
async def http_server() -> AsyncIterator[tuple[str, list[dict[str, str]]]]:
    """The server's address, and the headers of each request it got."""
    import uvicorn

    seen: list[dict[str, str]] = []
    app = make_server().streamable_http_app()

    async def noting(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            seen.append({name.decode(): value.decode() for name, value in scope["headers"]})
        await app(scope, receive, send)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(
            uvicorn.Config(noting, log_level="critical", lifespan="on", timeout_graceful_shutdown=1)
        )
        running = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp", seen
        finally:
            server.should_exit = True
            await running


if __name__ == "__main__":
    make_server().run("stdio")
