"""Connections to MCP servers that never answer."""

import asyncio
import sys

import pytest

from vivavoce.errors import CallFailed
from vivavoce.targets.mcp import link
from vivavoce.targets.mcp.link import McpAddress, McpLink

pytestmark = pytest.mark.process

MUTE = McpAddress(command=sys.executable, args=["-c", "import sys; sys.stdin.read()"])
FAR_TOO_LONG_S = 60


async def test_closing_does_not_wait_for_a_server_that_never_answered():
    server = McpLink("mute", lambda: MUTE)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await server.client()
    async with asyncio.timeout(FAR_TOO_LONG_S):
        await server.close()
        await server.close()


async def test_connecting_has_a_limit_that_the_message_names(monkeypatch):
    monkeypatch.setattr(link, "CONNECT_LIMIT_S", 0.05)
    server = McpLink("mute", lambda: MUTE)
    async with asyncio.timeout(FAR_TOO_LONG_S):
        with pytest.raises(CallFailed, match=r"did not start: no answer to `initialize` within 0.05 s"):
            await server.client()
        await server.close()
