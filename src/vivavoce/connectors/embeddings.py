"""Any host that speaks OpenAI's embeddings: texts in, a vector for each out."""

import msgspec

from vivavoce.connectors.endpoint import Endpoint, plain_headers
from vivavoce.connectors.openai import key_header, url_below
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_number, is_object
from vivavoce.model.message import Usage
from vivavoce.model_wires.addresses import OPENAI
from vivavoce.net.web_answers import bad_reply
from vivavoce.protocols import ModelReply, ModelRequest, Surroundings
from vivavoce.wording.quoting import quote_bytes

_NOT_IN_THE_BODY = frozenset({"host", "proxy", "key", "headers"})
_SHOWN = 200


class EmbeddingsConnector:
    """A model that turns texts into vectors: each message's text is one, and `data` holds the vectors in order."""

    def __init__(self, connector_id: str, options: JsonObject, surroundings: Surroundings) -> None:
        self.url = url_below(str(options.get("host") or options.get("proxy") or OPENAI), "/embeddings")
        headers: dict[str, str] = {}
        if key := str(options.get("key") or ""):
            headers |= key_header(self.url, surroundings.secrets.add(key))
        headers.update(plain_headers(options.get("headers"), connector_id, surroundings.secrets))
        self._endpoint = Endpoint(connector_id, self.url, headers, surroundings)
        self._fixed = {name: value for name, value in options.items() if name not in _NOT_IN_THE_BODY}

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Raises CallFailed when the answer has not one vector for each text."""
        texts = [message.text for message in request.messages]
        body = msgspec.json.encode({**self._fixed, **request.options, "input": texts})

        def whole(content: bytes) -> ModelReply:
            return _read(content, len(texts))

        async def stream(_events: object) -> ModelReply:
            raise bad_reply(f"{self.url} answered with a stream instead of embeddings")

        return await self._endpoint.ask(body, request.headers, streamed=False, whole=whole, stream=stream)


def _read(content: bytes, wanted: int) -> ModelReply:
    try:
        answer: JsonValue = msgspec.json.decode(content)
    except (ValueError, RecursionError):
        answer = None
    rows: JsonValue = answer.get("data") if is_object(answer) else None
    vectors = _vectors(rows) if is_array(rows) else []
    if len(vectors) != wanted:
        raise bad_reply(f"the answer has no embedding for each of {wanted} texts: {quote_bytes(content, _SHOWN)}")
    used: JsonValue = answer.get("usage")
    tokens: JsonValue = used.get("prompt_tokens") if is_object(used) else None
    return ModelReply(data=vectors, usage=Usage(tokens, 0) if isinstance(tokens, int) else None)


def _vectors(rows: JsonArray) -> JsonArray:
    """The vectors in the order of the texts; those that are no lists of numbers are left out."""
    told = [row for row in rows if is_object(row)]
    ordered = sorted(told, key=lambda row: row["index"]) if all(isinstance(r.get("index"), int) for r in told) else told
    found = [row.get("embedding") for row in ordered]
    return [vector for vector in found if is_array(vector) and vector and all(map(is_number, vector))]
