"""Reads answers over HTTP up to a limit, and describes failures in plain words."""

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from errno import EMFILE, ENFILE
from math import isfinite

import msgspec

from vivavoce.errors import CallFailed, TurnedAway
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.model.value_count import LARGE, TOO_MANY, has_many_values
from vivavoce.net.http_connection import HttpResponse
from vivavoce.net.http_failures import CannotConnect, ConnectTimedOut, HttpFailure
from vivavoce.net.inflating import LARGEST_ANSWER
from vivavoce.net.server_sent_events import FrameTooLarge, SseSplitter
from vivavoce.wording.quoting import quote_bytes, shorten

BUSY = (429, 503, 529)
"""The server refused the request and did nothing."""
SHORT = 300
LARGEST_COMPLAINT = 2**16
_OUT_OF_FILES = "raise the limit with ulimit -n, or lower --parallel"


NETWORK_ERRORS = (HttpFailure, ConnectionError, ValueError)
"""What a request may raise; ValueError for an invalid address or header."""


def network_failure(url: str, error: Exception) -> CallFailed:
    """Describes one of NETWORK_ERRORS, with the address."""
    if isinstance(error, CannotConnect):
        hint = _OUT_OF_FILES if error.errno in (EMFILE, ENFILE) else "is it running, and is the address right?"
        return CallFailed(f"cannot connect to {url}: {error}", fault="target", hint=hint, retryable=True)
    if isinstance(error, ConnectTimedOut):
        return CallFailed(f"no connection to {url}: timed out", fault="target", retryable=True)
    if isinstance(error, HttpFailure | ConnectionError):
        return CallFailed(f"the connection to {url} broke: {error or type(error).__name__}", fault="target")
    # The client refuses headers with line breaks and the like.
    return CallFailed(f"cannot call {url}: {error}", fault="test")


def refused(url: str, response: HttpResponse, reason: str, hint: str | None) -> CallFailed:
    """Returns the error for a status other than success. `reason` is what the body says, `hint` what to do."""
    status = response.status
    moved = response.headers.get("Location") if status < 400 else None
    hint = f"it has moved to {moved}; nothing was sent there" if moved else hint
    what = f"{url} answered HTTP {status}" + (f": {reason}" if reason else "")
    if status in BUSY:
        return TurnedAway(what, status=status, retry_after_s=asked_wait(response.headers), hint=hint)
    return CallFailed(what, fault="target", hint=hint)


def web_page(url: str, content: bytes) -> CallFailed:
    """Returns the error for an answer in HTML instead of JSON."""
    return CallFailed(
        f"{url} answered with a web page, not with JSON: {quote_bytes(content, SHORT)}",
        fault="target",
        hint="is this the address of the API?",
    )


def bad_reply(what: str) -> CallFailed:
    """Returns the error for an answer that cannot be used."""
    return CallFailed(what, fault="target")


def error_text(content: bytes) -> str:
    """Returns the message in an error's JSON body, else the beginning of the body."""
    try:
        value = msgspec.json.decode(content)
    except (ValueError, RecursionError):
        return quote_bytes(content, SHORT)
    return error_message(value) or quote_bytes(content, SHORT)


def error_message(value: JsonValue) -> str | None:
    """Returns the message of `{"error": {"message": …}}` and similar objects."""
    if not is_object(value):
        return shorten(value, SHORT) if isinstance(value, str) and value else None
    for key in ("error", "message", "detail"):
        if value.get(key) and (inner := error_message(value[key])):
            return inner
    return None


async def whole(response: HttpResponse) -> bytes:
    """Returns the whole body. Raises CallFailed if it is too large or has too many values."""
    size, parts = 0, list[bytes]()
    while chunk := await response.read_some():
        size = _grown(size, chunk)
        parts.append(chunk)
        if response.at_end:
            break
    content = b"".join(parts)
    if size > LARGE and has_many_values(content):
        raise bad_reply(f"the answer has {TOO_MANY}")
    return content


async def bounded(response: HttpResponse) -> AsyncIterator[bytes]:
    """Yields the chunks of a body. Raises CallFailed if they are too large together."""
    size = 0
    while chunk := await response.read_some():
        size = _grown(size, chunk)
        yield chunk


async def events(chunks: AsyncIterator[bytes], names: set[bytes] | None = None) -> AsyncIterator[bytes]:
    """Yields the data of each server-sent event. Their names are added to `names`."""
    splitter = SseSplitter()
    splitter.names = set() if names is None else names
    try:
        async for chunk in chunks:
            for data in splitter.feed(chunk):
                yield data
    except FrameTooLarge as error:
        raise bad_reply(f"the stream sent {error}") from None
    # Some servers close right after the last line, without the blank line that ends an event.
    if last := splitter.rest():
        yield last
    if splitter.stray:
        # It was not read, and may be a tool call.
        raise bad_reply(f"the stream has a line that is not an event: {quote_bytes(splitter.stray, SHORT)}")


async def beginning(response: HttpResponse) -> bytes:
    """Returns the beginning of an error page."""
    read = bytearray()
    while len(read) < LARGEST_COMPLAINT and (chunk := await response.read_some()):
        read += chunk
    return bytes(read)


def _grown(size: int, chunk: bytes) -> int:
    """Returns the size of the answer with this chunk. Raises CallFailed if that is too much."""
    if size + len(chunk) > LARGEST_ANSWER:
        raise bad_reply(f"the answer has more than {LARGEST_ANSWER >> 20} MB")
    return size + len(chunk)


def asked_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Returns the seconds that the server asks to wait; None if it does not say, or not readably."""
    if (in_ms := _number(headers.get("retry-after-ms"))) is not None:
        return in_ms / 1000
    written = headers.get("Retry-After")
    if written is None:
        return None
    if (in_s := _number(written)) is not None:
        return in_s
    try:
        date = parsedate_to_datetime(written)
    except (ValueError, OverflowError):
        return None
    # A date without a time zone is GMT, as always in HTTP.
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


def _number(text: str | None) -> float | None:
    """Returns a finite number of zero or more, else None."""
    if text is None or not text.strip().replace(".", "", 1).isdecimal():
        return None
    number = float(text)
    return number if isfinite(number) else None
