"""A real MCP server with tools, resources and prompts, over stdio; and, with `--liar`, one that breaks its promises."""

import json
import os
import sys
from pathlib import Path
from typing import Any

HERE = str(Path(__file__))
COMMAND = [sys.executable, HERE]
LIAR = [sys.executable, HERE, "--liar"]
EMPTY: dict[str, Any] = {"type": "object", "properties": {}}
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


def run_honest() -> None:
    if "mcp.server.mcpserver" in sys.modules or _is_second_version():
        from mcp.server.mcpserver import MCPServer as Server
    else:
        from mcp.server.fastmcp import FastMCP as Server  # pyright: ignore
    server: Any = Server("shop")
    orders: dict[str, int] = {}

    @server.tool()
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    @server.tool()
    def order(item: str) -> dict[str, Any]:
        """Orders one more of an item."""
        orders[item] = orders.get(item, 0) + 1
        return {"item": item, "count": orders[item]}

    @server.tool()
    def explode() -> str:
        """Always fails."""
        raise RuntimeError("boom")

    @server.tool()
    def die() -> str:
        """Ends the server."""
        print("out of memory", file=sys.stderr, flush=True)
        os._exit(3)

    @server.resource("shop://hours", mime_type="application/json")
    def hours() -> str:
        """When the shop is open."""
        return '{"monday": "9-17"}'

    @server.prompt()
    def greet(name: str) -> str:
        """How to greet somebody."""
        return f"Say hello to {name}."

    server.run("stdio")


def _is_second_version() -> bool:
    from importlib.metadata import version

    return int(version("mcp").partition(".")[0]) >= 2


def run_liar() -> None:
    """Speaks the protocol by hand: no SDK would let these answers through."""
    tools = [
        {"name": "count", "inputSchema": NUMBER, "outputSchema": NUMBER},
        {"name": "silent", "inputSchema": EMPTY, "outputSchema": NUMBER},
        {"name": "broken", "inputSchema": {"type": "object", "properties": {"a": {"type": "nonsense"}}}},
        {"name": "traced", "inputSchema": EMPTY},
    ]
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        params = message.get("params") or {}
        match message["method"]:
            case "initialize":
                result: Any = {
                    "protocolVersion": params["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "liar", "version": "1"},
                }
            case "tools/list":
                result = {"tools": tools}
            case "resources/list":
                result = {"resources": "none"}
            case "tools/call":
                trace = "Traceback (most recent call last):\n  boom" if params["name"] == "traced" else "done"
                result = {"content": [{"type": "text", "text": trace}]}
                if params["name"] == "count":
                    result["structuredContent"] = {"n": "many"}
                if params["name"] == "silent":
                    result |= {"_meta": {"note": "from the cache"}, "aside": "delete_order"}
            case other:
                error = {"code": -32601, "message": f"no such method: {other}"}
                print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}), flush=True)
                continue
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


if __name__ == "__main__":
    run_liar() if "--liar" in sys.argv else run_honest()
