"""What a connector is asked, and what a model answers."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from vivavoce.model.agent_card import ToolSpec
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.message import Message, ToolCall, Unread, Usage


class ModelRequest(Struct, frozen=True, kw_only=True, gc=False):
    messages: Sequence[Message]
    tools: Sequence[ToolSpec] = ()
    options: JsonObject = {}
    """Request parameters: temperature, max_tokens, response_format, …"""
    metadata: JsonObject = {}
    headers: Mapping[str, str] = {}
    """Headers of this call alone, for connectors that speak HTTP."""


class ModelReply(Struct, frozen=True, kw_only=True, gc=False):
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    """Calls that the model asks for; they have no result yet."""
    finish_reason: str | None = None
    usage: Usage | None = None
    data: JsonValue = msgspec.UNSET
    """Structured output, when the connector has some."""
    extra: JsonObject = {}
    """`awaiting_input`, `input_hint` and the like, when the endpoint sends them."""
    unread: tuple[Unread, ...] = ()
    """The pieces of the answer that could not be read."""
