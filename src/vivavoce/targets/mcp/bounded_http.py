"""Limits of MCP over HTTP that not every SDK has: size and clarity of answers, redirects on the same server only."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from yarl import URL

from vivavoce.model.value_count import LARGE, TOO_MANY, has_many_values
from vivavoce.net.inflating import BadEncoding, Inflater
from vivavoce.net.redirects import is_same_server
from vivavoce.net.server_sent_events import SseSplitter
from vivavoce.net.web_answers import LARGEST_ANSWER
from vivavoce.targets.mcp.heard import Heard

_FAILED = 400
_EVENT_ENDS = (b"\n\n", b"\r\r", b"\r\n\r\n")


def http_limits(httpx: Any, url: str, heard: Heard) -> dict[str, list[Callable[[Any], Awaitable[None]]]]:
    """The `event_hooks` of an HTTP client of the server at `url`. `httpx`: the HTTP library of the SDK.

    Answers end with an error once they have more than 64 MB. A stream may go on for ever; each of its events is
    limited. So do answers that are no JSON, or that readers read differently. A redirect to another server is
    refused: older SDKs follow it, with the headers and the call.
    """
    named, bounded = URL(url), _bounded_stream(httpx, heard)

    async def stay(request: Any) -> None:
        request.headers["accept-encoding"] = "gzip, deflate"
        if not is_same_server(named, there := URL(str(request.url))):
            raise httpx.RequestError(f"{named} redirects to another host, {there.origin()}: nothing was sent there")

    async def bound(response: Any) -> None:
        if response.request.method == "POST" and response.status_code >= _FAILED:
            heard.unread = f"HTTP {response.status_code}"
        kind = response.headers.get("content-type", "")
        # The library unpacks a piece whole, whatever it becomes. Without the header it leaves that to us.
        encoding = response.headers.pop("content-encoding", "").strip().lower()
        try:
            inflater = Inflater(encoding) if encoding not in ("", "identity") else None
        except BadEncoding as error:
            raise httpx.RequestError(str(error)) from None
        response.stream = bounded(response.stream, inflater, by_event=kind.startswith("text/event-stream"))

    return {"request": [stay], "response": [bound]}


def _bounded_stream(httpx: Any, heard: Heard) -> Any:
    """A stream of the HTTP library that ends with its error at the limits, and before what is unclear."""

    class Bounded(httpx.AsyncByteStream):
        def __init__(self, inner: Any, inflater: Inflater | None, *, by_event: bool) -> None:
            self._inner = inner
            self._inflater = inflater
            self._by_event = by_event
            self._events = SseSplitter()

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size, kept = 0, list[bytes]()
            async for chunk in _unpacked(self._inner, self._inflater, httpx.StreamError):
                kept.append(chunk)
                ends = max((chunk.rfind(end) for end in _EVENT_ENDS), default=-1) if self._by_event else -1
                size = size + len(chunk) if ends < 0 else len(chunk) - ends
                if ends >= 0:
                    self._refuse_many(kept)
                    kept = [chunk[ends:]]
                # Of one piece that unpacks to more, only the beginning is here.
                if max(size, len(chunk)) > LARGEST_ANSWER:
                    raise httpx.StreamError(f"the answer has more than {LARGEST_ANSWER >> 20} MB")
                if self._by_event:
                    self._refuse_unclear(self._events.feed(chunk))
                yield chunk
            # Whoever reads JSON reads it when it is whole.
            self._refuse_many(kept)
            if not self._by_event:
                self._refuse_unclear([b"".join(kept)])

        def _refuse_many(self, pieces: list[bytes]) -> None:
            if _have_many_values(pieces):
                raise httpx.StreamError(f"the answer has {TOO_MANY}")

        def _refuse_unclear(self, messages: list[bytes]) -> None:
            for message in messages:
                if (why := heard.doubt(message)) is not None:
                    raise httpx.StreamError(f"the server sent {why}")

        async def aclose(self) -> None:
            await self._inner.aclose()

    return Bounded


async def _unpacked(pieces: Any, inflater: Inflater | None, failure: type[Exception]) -> AsyncIterator[bytes]:
    try:
        async for piece in pieces:
            yield inflater.feed(piece) if inflater is not None and piece else piece
        if inflater is not None:
            inflater.finish()
    except BadEncoding as error:
        raise failure(str(error)) from None


def _have_many_values(pieces: list[bytes]) -> bool:
    if sum(map(len, pieces)) <= LARGE:
        return False
    message = b"".join(pieces)
    return has_many_values(message[max(0, message.find(b"{")) :])
