"""OpenAI's Responses API, at OpenAI and at every host that speaks it.

Options: `host`, `model`, `key`, `stream`, `headers`; everything else goes into the request body.
"""

import msgspec
from msgspec import structs

from vivavoce.connectors.endpoint import Endpoint, plain_headers
from vivavoce.connectors.openai import key_header, url_below
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model_wires.addresses import OPENAI
from vivavoce.model_wires.openai_wire import structured
from vivavoce.model_wires.responses_stream import read_stream
from vivavoce.model_wires.responses_wire import read_whole, wire_items, wire_tools
from vivavoce.protocols import ModelReply, ModelRequest, Surroundings

_NOT_IN_THE_BODY = frozenset({"host", "proxy", "key", "headers", "capabilities", "protocols"})
_encode = msgspec.json.Encoder().encode


class ResponsesConnector:
    """A model behind the Responses API. The whole conversation goes with every request."""

    def __init__(self, connector_id: str, options: JsonObject, surroundings: Surroundings) -> None:
        self.url = url_below(str(options.get("host") or options.get("proxy") or OPENAI), "/responses")
        headers: dict[str, str] = {}
        if key := str(options.get("key") or ""):
            headers |= key_header(self.url, surroundings.secrets.add(key))
        headers.update(plain_headers(options.get("headers"), connector_id, surroundings.secrets))
        self._endpoint = Endpoint(connector_id, self.url, headers, surroundings)
        self._fixed: JsonObject = {
            name: value for name, value in options.items() if name not in _NOT_IN_THE_BODY and value is not None
        }

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Sends the conversation and reads the answer, in one piece or as a stream."""
        body = {**self._fixed, **request.options}
        body["input"] = wire_items(request.messages)
        if request.tools:
            body["tools"] = wire_tools(request.tools)
        reply = await self._endpoint.ask(
            _encode(body), request.headers, streamed=body.get("stream") is True, whole=read_whole, stream=read_stream
        )
        wanted: JsonValue = body.get("text")
        if not is_object(wanted):
            return reply
        data = structured(reply.text, {"response_format": wanted.get("format")})
        return reply if data is msgspec.UNSET else structs.replace(reply, data=data)
