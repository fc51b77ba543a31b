"""One URL of a model provider: sends a body, hands back what came, says plainly what went wrong."""

import io
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from multidict import CIMultiDict

from vivavoce.errors import CallFailed, UsageError
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.net import web_answers
from vivavoce.net.lean_aiohttp import aiohttp
from vivavoce.net.sendable_headers import refuse_unsendable
from vivavoce.net.web_answers import LARGEST_ANSWER, NetworkErrors, bad_reply, error_text
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import ModelReply, Surroundings

LARGEST_PLAIN_BODY = 2**20
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
        # aiohttp warns of large raw bytes: as a file they are sent in pieces. Small ones it need not look up.
        small = len(body) < LARGEST_PLAIN_BODY
        data = aiohttp.BytesPayload(body, content_type=_JSON) if small else io.BytesIO(body)
        all_headers = self._headers.copy()
        all_headers.update(headers)
        with NetworkErrors(self._url):
            # No redirects: a POST that is moved would arrive as a GET.
            response = await self._http.session().post(self._url, data=data, headers=all_headers, allow_redirects=False)
            try:
                if response.status >= 300:
                    raise self._refused(response, await web_answers.beginning(response.content))
                kind = response.headers.get(aiohttp.hdrs.CONTENT_TYPE, "").partition(";")[0].strip().lower()
                if kind == "text/event-stream" or (streamed and "json" not in kind and "html" not in kind):
                    return await stream(web_answers.events(web_answers.bounded(response.content)))
                content = await response.content.readany()
                if len(content) > LARGEST_ANSWER or not response.content.at_eof():
                    content = await web_answers.whole(response.content, content)
            finally:
                # What `async with` would do, but for waiting until all is sent: there is an answer, so it is.
                # One that was read to its end has given its connection back already.
                if not response.closed:
                    response.release()
        if "html" in kind:
            raise web_answers.web_page(self._url, content)
        if not content:
            raise bad_reply(f"{self._url} answered HTTP {response.status} with an empty body")
        return whole(content)

    def _refused(self, response: aiohttp.ClientResponse, content: bytes) -> CallFailed:
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
