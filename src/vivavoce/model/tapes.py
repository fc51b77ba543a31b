"""The socket through which a run records what is asked, or answers it from what was recorded."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from vivavoce.model.json_value import JsonObject
from vivavoce.model.model_exchange import ModelReply, ModelRequest


class Tapes(Protocol):
    """Keeps what connectors and MCP servers are asked and answer, or answers from what was kept."""

    async def complete(
        self, connector: str, request: ModelRequest, ask: Callable[[ModelRequest], Awaitable[ModelReply]]
    ) -> ModelReply:
        """Returns what the connector answers; `ask` asks it. Raises CallFailed for a call that is not on the tape."""
        ...

    async def ask_mcp(
        self, server: str, method: str, params: JsonObject, ask: Callable[[], Awaitable[JsonObject]]
    ) -> JsonObject:
        """Returns what an MCP server of the agent answers; the same for a request that is not on the tape."""
        ...
