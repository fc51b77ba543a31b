"""Answers over HTTP: read within bounds, and in plain words what went wrong on the way."""

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
"""Turned away before anything was done."""
SHORT = 300
LARGEST_COMPLAINT = 2**16
_OUT_OF_FILES = "raise the limit with ulimit -n, or lower --parallel"


NETWORK_ERRORS = (HttpFailure, ConnectionError, ValueError)
"""What a request may raise; ValueError is for what HTTP cannot carry."""


def network_failure(url: str, error: Exception) -> CallFailed:
    """One of NETWORK_ERRORS in words that name the address."""
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
    """The error for a status that is no success. `reason` is what the body says, `hint` what to do about it."""
    status = response.status
    moved = response.headers.get("Location") if status < 400 else None
    hint = f"it has moved to {moved}; nothing was sent there" if moved else hint
    what = f"{url} answered HTTP {status}" + (f": {reason}" if reason else "")
    if status in BUSY:
        return TurnedAway(what, status=status, retry_after_s=asked_wait(response.headers), hint=hint)
    return CallFailed(what, fault="target", hint=hint)


def web_page(url: str, content: bytes) -> CallFailed:
    """The error for an answer in HTML where JSON was wanted."""
    return CallFailed(
        f"{url} answered with a web page, not with JSON: {quote_bytes(content, SHORT)}",
        fault="target",
        hint="is this the address of the API?",
    )


def bad_reply(what: str) -> CallFailed:
    """For an answer that came but makes no sense."""
    return CallFailed(what, fault="target")


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
        return shorten(value, SHORT) if isinstance(value, str) and value else None
    for key in ("error", "message", "detail"):
        if value.get(key) and (inner := error_message(value[key])):
            return inner
    return None


async def whole(response: HttpResponse) -> bytes:
    """All of a body. Raises CallFailed when it is too large, or is JSON of too many values."""
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
    """The chunks of a body as they arrive. Raises CallFailed when they are too large together."""
    size = 0
    while chunk := await response.read_some():
        size = _grown(size, chunk)
        yield chunk


async def events(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The data of each server-sent event."""
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
    if splitter.stray:
        # Whatever it is, nobody has read it: it may be a call.
        raise bad_reply(f"the stream has a line that is no event: {quote_bytes(splitter.stray, SHORT)}")


async def beginning(response: HttpResponse) -> bytes:
    """As much of an error page as can be of use."""
    read = bytearray()
    while len(read) < LARGEST_COMPLAINT and (chunk := await response.read_some()):
        read += chunk
    return bytes(read)


def _grown(size: int, chunk: bytes) -> int:
    """How large the answer is with this chunk; raises when that is too much."""
    if size + len(chunk) > LARGEST_ANSWER:
        raise bad_reply(f"the answer has more than {LARGEST_ANSWER >> 20} MB")
    return size + len(chunk)


def asked_wait(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds from now; None when the server named no time, or none that can be read."""
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
    # A date without a zone means GMT, as always in HTTP.
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - (now or datetime.now(UTC))).total_seconds())


def _number(text: str | None) -> float | None:
    """A plain, finite number of zero or more."""
    if text is None or not text.strip().replace(".", "", 1).isdecimal():
        return None
    number = float(text)
    return number if isfinite(number) else None
