"""One URL of a model provider: sends a body, hands back what came, says plainly what went wrong."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from multidict import CIMultiDict

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.net import web_answers
from vivavoce.net.http_connection import HttpResponse
from vivavoce.net.sendable_headers import refuse_unsendable
from vivavoce.net.web_answers import NETWORK_ERRORS, bad_reply, error_text, network_failure
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import ModelReply, Surroundings

_JSON = "application/json"

ReadWhole = Callable[[bytes], ModelReply]
ReadStream = Callable[[AsyncIterator[bytes]], Awaitable[ModelReply]]


class Endpoint:
    """Where requests go, with the headers they all carry."""

    def __init__(self, connector: str, url: str, headers: Mapping[str, str], surroundings: Surroundings) -> None:
        if not url.startswith(("http://", "https://")):
            raise UsageError(f"connector {connector!r}: {url!r} is no web address", hint="begin it with https://")
        refuse_unsendable(headers, f"connector {connector!r}")
        self._connector = connector
        self._url = url
        self._http = surroundings.http
        self._secrets = surroundings.secrets
        self._headers = CIMultiDict({"Content-Type": _JSON})
        self._headers.update(headers)

    async def ask(
        self, body: bytes, headers: Mapping[str, str], *, streamed: bool, whole: ReadWhole, stream: ReadStream
    ) -> ModelReply:
        """Posts `body` and reads the answer in the form it comes in, which need not be the one asked for."""
        all_headers = self._headers.copy()
        all_headers.update(headers)
        try:
            with await self._http.request("POST", self._url, headers=all_headers, body=body) as answer:
                if answer.status >= 300:
                    raise self._refused(answer, await web_answers.beginning(answer))
                kind = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
                if kind == "text/event-stream" or (streamed and "json" not in kind and "html" not in kind):
                    return await stream(web_answers.events(web_answers.bounded(answer)))
                content = await web_answers.whole(answer)
        except NETWORK_ERRORS as error:
            raise network_failure(self._url, error) from None
        if "html" in kind:
            raise web_answers.web_page(self._url, content)
        if not content:
            raise bad_reply(f"{self._url} answered HTTP {answer.status} with an empty body")
        return whole(content)

    def _refused(self, response: HttpResponse, content: bytes) -> CallFailed:
        hint = {
            401: f"check the key of {self._connector!r}: `key:` at the agent or connector",
            403: f"check what the key of {self._connector!r} may do",
            404: "check the host and the model",
            429: "too many requests: try again later or lower --parallel",
        }.get(response.status)
        return web_answers.refused(self._url, response, self._secrets.mask(error_text(content)), hint)


def plain_headers(value: JsonValue, connector_id: str, secrets: Secrets) -> dict[str, str]:
    """The `headers` option, which must be a mapping of texts; every one of them is a secret."""
    if value is None:
        return {}
    if not is_object(value):
        raise UsageError(f"connector {connector_id!r}: headers must be a mapping of names to values")
    return {name: secrets.add_header(str(inner)) for name, inner in value.items()}
