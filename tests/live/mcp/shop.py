"""A small MCP server for either version of the official SDK: `python shop.py [PORT]`, over stdio without a port."""

import sys

try:
    from mcp.server.mcpserver import MCPServer

    over_http = {"port": int(sys.argv[1])} if sys.argv[1:] else {}
    server = MCPServer("shop")
except ImportError:
    from mcp.server.fastmcp import FastMCP

    over_http = {}
    server = FastMCP("shop", port=int(sys.argv[1]) if sys.argv[1:] else 0)


@server.tool()
def find_order(number: int) -> dict:
    """Look an order up by its number."""
    if number < 1:
        raise ValueError("no such order")
    return {"number": number, "status": "shipped"}


@server.tool()
def end() -> str:
    """Ends the server."""
    import os

    os._exit(3)


@server.resource("shop://hours", mime_type="application/json")
def hours() -> str:
    """When the shop is open."""
    return '{"monday": "9-17"}'


@server.prompt()
def greet(name: str) -> str:
    """How to greet somebody."""
    return f"Say hello to {name}."


if sys.argv[1:]:
    server.run("streamable-http", **over_http)
else:
    server.run("stdio")
