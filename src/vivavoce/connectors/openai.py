"""Any host that speaks OpenAI's chat completions: OpenAI, DeepSeek, Ollama, vLLM, gateways, a Yao server.

Options are Yao's: `host`, `model`, `key`, `stream`, `headers`; everything else goes into the request body
(`temperature`, `max_tokens`, `thinking`, …). An Azure resource is a `host` ending in `/openai/v1/` with an
`api-key` header, or `…/openai/deployments/NAME?api-version=…`, whose `key` is sent as that header.
"""

import re
from urllib.parse import urlsplit, urlunsplit

import msgspec
from msgspec import structs

from vivavoce.connectors.endpoint import Endpoint, plain_headers
from vivavoce.errors import UsageError
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model_wires.addresses import OPENAI
from vivavoce.model_wires.openai_wire import read_stream, read_whole, structured, wire_message, wire_tools
from vivavoce.protocols import ModelReply, ModelRequest, Surroundings

# `proxy` is Yao's old name for `host`; the rest describes the connector and is no part of a request.
_NOT_IN_THE_BODY = frozenset({"host", "proxy", "key", "headers", "azure", "capabilities", "protocols", "extra_body"})
_VERSION = re.compile(r"/v\d[a-z0-9]*+$")
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
        self.url = completions_url(str(options.get("host") or options.get("proxy") or OPENAI))
        if key := str(options.get("key") or ""):
            headers |= key_header(self.url, surroundings.secrets.add(key))
        headers.update(plain_headers(options.get("headers"), connector_id, surroundings.secrets))
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


def key_header(url: str, key: str) -> dict[str, str]:
    """How a key is sent: Azure's addresses with an `api-version` take it in a header of their own."""
    return {"api-key": key} if "api-version=" in urlsplit(url).query else {"Authorization": f"Bearer {key}"}


def completions_url(host: str) -> str:
    """Where a host takes completions."""
    return url_below(host, "/chat/completions")


def url_below(host: str, end: str) -> str:
    """The address of an API: a trailing slash means "as given", otherwise a missing `/v1` is put in.

    Azure's addresses name a deployment or have an `api-version`: they have no `/v1`.
    """
    parts = urlsplit(host)
    path = parts.path
    if path.endswith(end):
        return host
    if path.endswith("/"):
        path = f"{path}{end[1:]}"
    elif _VERSION.search(path) or "/deployments/" in path or "api-version=" in parts.query:
        path = f"{path}{end}"
    else:
        path = f"{path}/v1{end}"
    return urlunsplit(parts._replace(path=path))
