"""Any host that speaks OpenAI's chat completions: OpenAI, DeepSeek, Ollama, vLLM, gateways, a Yao server.

Options are Yao's: `host`, `model`, `key`, `stream`, `headers`; everything else goes into the request body
(`temperature`, `max_tokens`, `thinking`, …). An Azure resource is a `host` ending in `/openai/v1/` with an
`api-key` header.
"""

import re
from urllib.parse import urlsplit, urlunsplit

import msgspec
from msgspec import structs

from vivavoce.connectors.endpoint import Endpoint, plain_headers
from vivavoce.connectors.openai_wire import read_stream, read_whole, structured, wire_message, wire_tools
from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.protocols import ModelReply, ModelRequest, Surroundings

DEFAULT_HOST = "https://api.openai.com"
# `proxy` is Yao's old name for `host`; the rest describes the connector and is no part of a request.
_NOT_IN_THE_BODY = frozenset({"host", "proxy", "key", "headers", "azure", "capabilities", "protocols", "extra_body"})
_VERSION = re.compile(r"/v\d+[a-z0-9]*$")
_encode = msgspec.json.Encoder().encode


class OpenAiConnector:
    """A model behind a chat-completions endpoint."""

    def __init__(self, connector_id: str, options: JsonObject, surroundings: Surroundings) -> None:
        if str(options.get("azure", "")).lower() not in ("", "false", "none"):
            raise UsageError(
                f"connector {connector_id!r}: `azure` is not known here",
                hint="set host to https://RESOURCE.openai.azure.com/openai/v1/ and an api-key header",
            )
        headers: dict[str, str] = {}
        if key := str(options.get("key") or ""):
            headers["Authorization"] = f"Bearer {surroundings.secrets.add(key)}"
        headers.update(plain_headers(options.get("headers"), connector_id, surroundings.secrets))
        self.url = completions_url(str(options.get("host") or options.get("proxy") or DEFAULT_HOST))
        self._endpoint = Endpoint(connector_id, self.url, headers, surroundings)
        extra: JsonValue = options.get("extra_body")
        self._fixed: JsonObject = {
            "stream": False,
            **{name: value for name, value in options.items() if name not in _NOT_IN_THE_BODY and value is not None},
            **(extra if is_object(extra) else {}),
        }

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Sends the conversation and reads the answer, in one piece or as a stream."""
        body = {**self._fixed, **request.options}
        streamed = body["stream"] is True
        if streamed:
            body.setdefault("stream_options", {"include_usage": True})
        body["messages"] = [wire_message(message) for message in request.messages]
        if request.tools:
            body["tools"] = wire_tools(request.tools)
        reply = await self._endpoint.ask(
            _encode(body), request.headers, streamed=streamed, whole=read_whole, stream=read_stream
        )
        data = structured(reply.text, body) if "response_format" in body else msgspec.UNSET
        return reply if data is msgspec.UNSET else structs.replace(reply, data=data)


def completions_url(host: str) -> str:
    """Where a host takes completions: a trailing slash means "as given", otherwise a missing `/v1` is put in."""
    parts = urlsplit(host)
    path = parts.path
    if path.endswith("/chat/completions"):
        return host
    if path.endswith("/"):
        path = f"{path}chat/completions"
    elif _VERSION.search(path):
        path = f"{path}/chat/completions"
    else:
        path = f"{path}/v1/chat/completions"
    return urlunsplit(parts._replace(path=path))
