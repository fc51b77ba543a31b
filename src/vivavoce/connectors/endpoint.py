"""One URL of a model provider: sends a body, hands back what came, says plainly what went wrong."""

import io
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from errno import EMFILE, ENFILE

import aiohttp
import msgspec
from aiohttp.hdrs import CONTENT_TYPE
from multidict import CIMultiDict

from vivavoce.connectors.asked_wait import asked_wait
from vivavoce.errors import CallFailed, TurnedAway, UsageError
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.net.server_sent_events import FrameTooLarge, SseSplitter
from vivavoce.project.redaction import Secrets
from vivavoce.protocols import ModelReply, Surroundings
from vivavoce.wording.quoting import quote_bytes

BUSY = (429, 503, 529)
"""Turned away before anything was done."""
SHORT = 300
LARGEST_PLAIN_BODY = 2**20
LARGEST_ANSWER = 2**28
"""Bytes, after decompression: a small answer can grow to anything."""
LARGEST_COMPLAINT = 2**16
_OUT_OF_FILES = "raise the limit with ulimit -n, or lower --parallel"

ReadWhole = Callable[[bytes], ModelReply]
ReadStream = Callable[[AsyncIterator[bytes]], Awaitable[ModelReply]]


class Endpoint:
    """Where requests go, with the headers they all carry."""

    def __init__(self, connector: str, url: str, headers: Mapping[str, str], surroundings: Surroundings) -> None:
        if not url.startswith(("http://", "https://")):
            raise UsageError(f"connector {connector!r}: {url!r} is no web address", hint="begin it with https://")
        self._connector = connector
        self._url = url
        self._http = surroundings.http
        self._secrets = surroundings.secrets
        self._headers = CIMultiDict({"Content-Type": "application/json"})
        self._headers.update(headers)

    async def ask(
        self, body: bytes, headers: Mapping[str, str], *, streamed: bool, whole: ReadWhole, stream: ReadStream
    ) -> ModelReply:
        """Posts `body` and reads the answer in the form it comes in, which need not be the one asked for."""
        # aiohttp warns of large raw bytes: as a file they are sent in pieces.
        data = body if len(body) < LARGEST_PLAIN_BODY else io.BytesIO(body)
        all_headers = self._headers.copy()
        all_headers.update(headers)
        try:
            # No redirects: a POST that is moved would arrive as a GET.
            response = await self._http.session().post(self._url, data=data, headers=all_headers, allow_redirects=False)
            try:
                if response.status >= 300:
                    raise self._refused(response, await _beginning(response.content))
                kind = response.headers.get(CONTENT_TYPE, "").partition(";")[0].strip().lower()
                if kind == "text/event-stream" or (streamed and "json" not in kind and "html" not in kind):
                    return await stream(_events(_bounded(response.content)))
                content = await response.content.readany()
                if len(content) > LARGEST_ANSWER or not response.content.at_eof():
                    content = await _whole(content, response.content)
            finally:
                # What `async with` would do, but for waiting until all is sent: there is an answer, so it is.
                response.release()
        except aiohttp.ClientConnectorError as error:
            raise CallFailed(
                f"cannot connect to {self._url}: {_cause(error)}",
                fault="target",
                hint=_OUT_OF_FILES if error.errno in (EMFILE, ENFILE) else "is it running, and is the address right?",
                retryable=True,
            ) from None
        except aiohttp.ConnectionTimeoutError:
            raise CallFailed(f"no connection to {self._url}: timed out", fault="target", retryable=True) from None
        except (aiohttp.ClientError, ConnectionError) as error:
            raise CallFailed(f"the connection to {self._url} broke: {_cause(error)}", fault="target") from None
        except ValueError as error:
            # aiohttp refuses headers with line breaks and the like.
            raise CallFailed(f"cannot call {self._url}: {error}", fault="test") from None
        if "html" in kind:
            raise CallFailed(
                f"{self._url} answered with a web page, not with JSON: {quote_bytes(content, SHORT)}",
                fault="target",
                hint="is this the address of the API?",
            )
        if not content:
            raise bad_reply(f"{self._url} answered HTTP {response.status} with an empty body")
        return whole(content)

    def _refused(self, response: aiohttp.ClientResponse, content: bytes) -> CallFailed:
        status = response.status
        reason = self._secrets.mask(error_text(content))
        moved = response.headers.get("Location") if status < 400 else None
        hint = (
            f"it has moved to {moved}"
            if moved
            else {
                401: f"check the key of connector {self._connector!r}",
                403: f"check what the key of connector {self._connector!r} may do",
                404: "check the host and the model",
                429: "too many requests: try again later or lower --parallel",
            }.get(status)
        )
        what = f"{self._url} answered HTTP {status}" + (f": {reason}" if reason else "")
        if status in BUSY:
            return TurnedAway(what, status=status, retry_after_s=asked_wait(response.headers), hint=hint)
        return CallFailed(what, fault="target", hint=hint)


def plain_headers(value: JsonValue, connector_id: str, secrets: Secrets) -> dict[str, str]:
    """The `headers` option, which must be a mapping of texts; every one of them is a secret."""
    if value is None:
        return {}
    if not is_object(value):
        raise UsageError(f"connector {connector_id!r}: headers must be a mapping of names to values")
    return {name: secrets.add_header(str(inner)) for name, inner in value.items()}


def error_text(content: bytes) -> str:
    """What an error body says: its message when it is JSON, else the beginning of it."""
    try:
        value = msgspec.json.decode(content)
    except (ValueError, RecursionError):
        return quote_bytes(content, SHORT)
    return error_message(value) or quote_bytes(content, SHORT)


def error_message(value: JsonValue) -> str | None:
    """The words of `{"error": {"message": …}}` and its relatives."""
    if not is_object(value):
        return value[:SHORT] if isinstance(value, str) and value else None
    for key in ("error", "message", "detail"):
        if value.get(key) and (inner := error_message(value[key])):
            return inner
    return None


def bad_reply(what: str) -> CallFailed:
    """For an answer that came but makes no sense."""
    return CallFailed(what, fault="target")


async def _events(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    splitter = SseSplitter(LARGEST_ANSWER)
    try:
        async for chunk in chunks:
            for data in splitter.feed(chunk):
                yield data
    except FrameTooLarge as error:
        raise bad_reply(f"the stream sent {error}") from None
    # Some servers close right after the last line, without the blank one that ends an event.
    if last := splitter.rest():
        yield last


async def _whole(beginning: bytes, content: aiohttp.StreamReader) -> bytes:
    size, parts = _grown(0, beginning), [beginning]
    while chunk := await content.readany():
        size = _grown(size, chunk)
        parts.append(chunk)
    return b"".join(parts)


async def _bounded(content: aiohttp.StreamReader) -> AsyncIterator[bytes]:
    size = 0
    while chunk := await content.readany():
        size = _grown(size, chunk)
        yield chunk


def _grown(size: int, chunk: bytes) -> int:
    """How large the answer is with this chunk; raises when that is too much."""
    if size + len(chunk) > LARGEST_ANSWER:
        raise bad_reply(f"the answer has more than {LARGEST_ANSWER >> 20} MB")
    return size + len(chunk)


async def _beginning(content: aiohttp.StreamReader) -> bytes:
    """As much of an error page as can be of use."""
    beginning = bytearray()
    while len(beginning) < LARGEST_COMPLAINT and (chunk := await content.readany()):
        beginning += chunk
    return bytes(beginning)


def _cause(error: Exception) -> str:
    inner = getattr(error, "os_error", None)
    return str(getattr(inner, "strerror", None) or error or type(error).__name__)
