"""Anthropic's messages API.

Options: `host`, `model`, `key`, `stream`, `headers`, `version`; everything else goes into the request body.
A wish for JSON (`response_format`) becomes a sentence of the system prompt, as the API has no such field.
"""

from typing import Any

import msgspec
from msgspec import structs

from vivavoce.connectors.endpoint import Endpoint, plain_headers
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_object
from vivavoce.model_wires.addresses import ANTHROPIC
from vivavoce.model_wires.anthropic_wire import read_stream, read_whole, system_text, wire_messages, wire_tools
from vivavoce.notation.json_text import find_json
from vivavoce.protocols import ModelReply, ModelRequest, Surroundings

API_VERSION = "2023-06-01"
DEFAULT_MAX_TOKENS = 4096
_NOT_IN_THE_BODY = frozenset({"host", "proxy", "key", "headers", "version", "capabilities", "protocols"})
_encode = msgspec.json.Encoder().encode


class AnthropicConnector:
    """A model behind the messages API."""

    def __init__(self, connector_id: str, options: JsonObject, surroundings: Surroundings) -> None:
        headers = {"anthropic-version": str(options.get("version") or API_VERSION)}
        if key := str(options.get("key") or ""):
            headers["x-api-key"] = surroundings.secrets.add(key)
        headers.update(plain_headers(options.get("headers"), connector_id, surroundings.secrets))
        self.url = messages_url(str(options.get("host") or options.get("proxy") or ANTHROPIC))
        self._endpoint = Endpoint(connector_id, self.url, headers, surroundings)
        self._fixed: JsonObject = {
            "max_tokens": DEFAULT_MAX_TOKENS,
            "stream": False,
            **{name: value for name, value in options.items() if name not in _NOT_IN_THE_BODY and value is not None},
        }

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Sends the conversation and reads the answer, in one piece or as a stream."""
        body = {**self._fixed, **request.options}
        wanted = _json_wish(body.pop("response_format", None))
        if system := "\n\n".join(filter(None, (system_text(request.messages), wanted))):
            body["system"] = system
        body["messages"] = wire_messages(request.messages)
        if request.tools:
            body["tools"] = wire_tools(request.tools)
        reply = await self._endpoint.ask(
            _encode(body), request.headers, streamed=body["stream"] is True, whole=read_whole, stream=read_stream
        )
        found = find_json(reply.text) if wanted else None
        return reply if found is None else structs.replace(reply, data=found.value)


def messages_url(host: str) -> str:
    """`https://api.anthropic.com` and `…/v1` alike become `…/v1/messages`."""
    host = host.rstrip("/")
    return host if host.endswith("/messages") else f"{host.removesuffix('/v1')}/v1/messages"


def _json_wish(response_format: JsonValue) -> str:
    if not is_object(response_format) or not str(response_format.get("type")).startswith("json"):
        return ""
    described: Any = response_format.get("json_schema")
    schema: JsonValue = described.get("schema") if is_object(described) else None
    return "Answer with one JSON value and nothing else." + (
        f" It must satisfy this JSON Schema: {compact_json(schema)}" if schema else ""
    )
