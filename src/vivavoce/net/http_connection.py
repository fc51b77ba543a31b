"""One connection to a web server: sends a request and receives its answer; httptools parses HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser
from multidict import CIMultiDict

from vivavoce.net.http_failures import AnswerBroken, HttpFailure
from vivavoce.net.inflating import BadEncoding, Inflater

if TYPE_CHECKING:
    import ssl
    from types import TracebackType

_MOST_UNREAD = 2**18
"""Bytes that may wait to be read; with more, we stop receiving."""
_LARGEST_HEAD = 2**20
"""Bytes that may come before the body: status, headers, and answers like 100 Continue."""


class HttpResponse:
    """An answer whose body may still be arriving. Release it, or leave its `with`, to give the connection back."""

    __slots__ = ("_connection", "_failure", "_is_whole", "_pieces", "_size", "_waiter", "headers", "status")

    def __init__(self, connection: HttpConnection, status: int, headers: CIMultiDict[str]) -> None:
        self.status = status
        self.headers = headers
        self._connection: HttpConnection | None = connection
        self._pieces: list[bytes] = []
        self._size = 0
        self._is_whole = False
        self._failure: HttpFailure | None = None
        self._waiter: asyncio.Future[None] | None = None

    async def read_some(self) -> bytes:
        """Returns what has arrived, at least one byte; b"" at the end. Raises AnswerBroken if the answer is cut off."""
        while not self._pieces:
            if self._failure is not None:
                raise self._failure
            if self._is_whole or self._connection is None:
                return b""
            self._waiter = asyncio.get_running_loop().create_future()
            try:
                await self._waiter
            finally:
                self._waiter = None
        pieces, self._pieces = self._pieces, []
        if self._size > _MOST_UNREAD and self._connection is not None:
            self._connection.resume()
        self._size = 0
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    @property
    def at_end(self) -> bool:
        """Whether the whole body was read."""
        return self._is_whole and not self._pieces

    def release(self) -> None:
        """Gives the connection back; closes it if the answer was not read to its end."""
        if (connection := self._connection) is not None:
            self._connection = None
            connection.close()

    def __enter__(self) -> HttpResponse:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._connection is not None:
            self.release()

    def feed(self, data: bytes) -> bool:
        """Keeps a piece. Returns True if too many bytes wait to be read."""
        self._pieces.append(data)
        self._size += len(data)
        if self._waiter is not None:
            self._wake(self._waiter)
        return self._size > _MOST_UNREAD

    def finish(self, failure: HttpFailure | None = None) -> None:
        self._is_whole = failure is None
        self._failure = failure
        self._connection = None
        if self._waiter is not None:
            self._wake(self._waiter)

    @staticmethod
    def _wake(waiter: asyncio.Future[None]) -> None:
        if not waiter.done():
            waiter.set_result(None)


class HttpConnection(asyncio.Protocol):
    """One request at a time. Calls `on_free` when the next one may be sent, `on_lost` when the connection is closed."""

    def __init__(self, on_free: Callable[[HttpConnection], None], on_lost: Callable[[HttpConnection], None]) -> None:
        self._on_free = on_free
        self._on_lost = on_lost
        self._transport: asyncio.Transport | None = None
        self._parser = HttpResponseParser(self)
        self._head: asyncio.Future[HttpResponse] | None = None
        self._response: HttpResponse | None = None
        self._headers: list[tuple[str, str]] = []
        self._inflater: Inflater | None = None
        self._headers_only = False
        self._head_size = 0
        self.free_since = 0.0

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    async def exchange(self, request: bytes, *, headers_only: bool = False) -> HttpResponse:
        """Sends a request and returns its answer once the headers have arrived. Raises AnswerBroken.

        With `headers_only`, the connection cannot be used again: the parser still expects a body.
        """
        assert self._transport is not None
        self._headers_only = headers_only
        self._head_size = 0
        self._head = head = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        try:
            return await head
        except BaseException:
            # Cancelled or broken. If the answer has arrived, the connection may already serve another request.
            if self._head is head:
                self._head = None
                self.close()
            raise

    def close(self) -> None:
        if self._transport is not None:
            # Not close(), which first sends the remaining bytes and ends TLS.
            self._transport.abort()

    def resume(self) -> None:
        if self.is_open:
            assert self._transport is not None
            self._transport.resume_reading()

    async def open_tunnel(self, request: bytes) -> None:
        """Asks a proxy to forward everything that follows. Raises AnswerBroken if it refuses."""
        answer = await self.exchange(request, headers_only=True)
        if answer.status != 200:
            self.close()
            raise AnswerBroken(f"HTTP {answer.status}")
        self._parser = HttpResponseParser(self)

    async def start_tls(self, context: ssl.SSLContext, host: str) -> None:
        """Uses TLS from here on. Raises OSError."""
        assert self._transport is not None
        loop = asyncio.get_running_loop()
        self._transport = await loop.start_tls(self._transport, self, context, server_hostname=host)

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._head is None and self._response is None:
            self.close()  # data without a request must not become the answer to the next one
            return
        if self._response is None:
            self._head_size += len(data)
            if self._head_size > _LARGEST_HEAD:
                self._fail(AnswerBroken(f"its headers have more than {_LARGEST_HEAD >> 20} MB"))
                return
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:
            self._fail(AnswerBroken("the server wants to speak another protocol than HTTP"))
        except HttpParserError as error:
            self._fail(AnswerBroken(f"what it sent is not HTTP: {error}"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._on_lost(self)
        if self._response is not None and exc is None and _ends_with_the_connection(self._response.headers):
            self._finish()
            return
        what = "the connection closed before the answer was complete" if self._response else "the server disconnected"
        self._fail(AnswerBroken(str(exc) if exc and str(exc) else what))

    # Called by the parser.

    def on_message_begin(self) -> None:
        if self._head is None:
            self.close()  # a second answer to one request

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._response is not None:
            return  # a trailer after the body: ignored, because there may be no end of them
        self._headers.append((name.decode("latin-1"), value.decode("utf-8", "surrogateescape")))

    def on_headers_complete(self) -> None:
        headers, self._headers = self._headers, []
        status = self._parser.get_status_code()
        if 100 <= status < 200 or self._head is None or self._head.done():
            return
        if status < 100:  # every status below 300 counts as success
            self._fail(AnswerBroken(f"what it sent is not HTTP: the status {status:03}"))
            return
        response = HttpResponse(self, status, CIMultiDict(headers))
        encoding = response.headers.get("Content-Encoding", "").strip().lower()
        self._inflater = None
        if encoding not in ("", "identity") and not self._headers_only:
            try:
                self._inflater = Inflater(encoding)
            except BadEncoding as bad:
                self._fail(AnswerBroken(str(bad)))
                return
        self._response = response
        self._head.set_result(response)
        self._head = None
        if self._headers_only:
            self._finish()

    def on_body(self, data: bytes) -> None:
        if (response := self._response) is None:
            return
        if self._inflater is not None:
            try:
                data = self._inflater.feed(data)
            except BadEncoding as bad:
                self._fail(AnswerBroken(str(bad)))
                return
        if data and response.feed(data) and self.is_open:
            assert self._transport is not None
            self._transport.pause_reading()

    def on_message_complete(self) -> None:
        if self._response is None:
            return  # "100 Continue", before the answer
        self._finish()
        transport = self._transport
        # If the server answered before it had the whole request, the rest would become part of the next one.
        if (
            transport is not None
            and self._parser.should_keep_alive()
            and not transport.get_write_buffer_size()
            and not transport.is_closing()
        ):
            self._on_free(self)
        else:
            self.close()

    def _finish(self) -> None:
        assert self._response is not None
        response, self._response = self._response, None
        if self._inflater is not None:
            try:
                self._inflater.finish()
            except BadEncoding as bad:
                response.finish(AnswerBroken(str(bad)))
                return
        response.finish()

    def _fail(self, failure: HttpFailure) -> None:
        if (head := self._head) is not None and not head.done():
            self._head = None
            head.set_exception(failure)
        elif self._response is not None:
            response, self._response = self._response, None
            response.finish(failure)
        self.close()


def _ends_with_the_connection(headers: CIMultiDict[str]) -> bool:
    """Whether only the end of the connection marks the end of the body."""
    return "Content-Length" not in headers and "chunked" not in headers.get("Transfer-Encoding", "").lower()
