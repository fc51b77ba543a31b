"""The protocol through which a run records calls, or replays recorded answers."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from vivavoce.model.json_value import JsonObject
from vivavoce.model.model_exchange import ModelReply, ModelRequest


class Tapes(Protocol):
    """Records the requests and answers of connectors and MCP servers, or replays recorded answers."""

    async def complete(
        self, connector: str, request: ModelRequest, ask: Callable[[ModelRequest], Awaitable[ModelReply]]
    ) -> ModelReply:
        """Returns the connector's answer; `ask` calls it. Raises CallFailed for a call that is not on the tape."""
        ...

    async def ask_mcp(
        self, server: str, method: str, params: JsonObject, ask: Callable[[], Awaitable[JsonObject]]
    ) -> JsonObject:
        """Returns the answer of an MCP server. Raises CallFailed for a request that is not on the tape."""
        ...
