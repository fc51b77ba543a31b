"""The seam to the world: one POST, one streamed answer. Live, recorded and replayed ones look the same."""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Protocol

import aiohttp

from vivavoce.errors import UsageError
from vivavoce.net.http_client import HttpClient
from vivavoce.net.server_sent_events import FrameTooLarge
from vivavoce.notation.durations import format_duration

LARGEST_ANSWER = 2**28
"""Bytes, after decompression."""


class Answer(Protocol):
    """A response whose body is still arriving."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]:
        """Names in lower case."""
        ...

    def chunks(self) -> AsyncIterator[bytes]:
        """The body as it arrives. Raises ConnectionBroken when it stops before its end."""
        ...


class Exchange(Protocol):
    """Where runs are sent to."""

    def post(self, body: bytes) -> AbstractAsyncContextManager[Answer]:
        """Raises NotReached when nobody was there to receive it, ConnectionBroken when no answer came back."""
        ...

    async def close(self) -> None: ...


class NotReached(Exception):
    """The request never got to a server: nothing was executed."""


class ConnectionBroken(Exception):
    """The server was there, and then the line went dead."""


class HttpAnswer:
    """A live response."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.headers.items()}
        self._content = response.content
        self._size = 0

    def chunks(self) -> AsyncIterator[bytes]:
        return self

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            chunk = await self._content.readany()
        except (aiohttp.ClientError, OSError) as error:
            raise ConnectionBroken(str(error) or type(error).__name__) from None
        if not chunk:
            raise StopAsyncIteration
        self._size += len(chunk)
        if self._size > LARGEST_ANSWER:
            raise FrameTooLarge(f"an answer of more than {LARGEST_ANSWER >> 20} MB")
        return chunk


class HttpExchange:
    """A live server. Nothing is ever sent twice: that would run the agent's tools twice."""

    def __init__(self, http: HttpClient, url: str, headers: Mapping[str, str], connect_timeout_s: float) -> None:
        self._http = http
        self._url = url
        self._headers = {"Content-Type": "application/json", **headers, "Accept": "text/event-stream"}
        self._connect_timeout_s = connect_timeout_s
        self._limits = aiohttp.ClientTimeout(total=None, connect=connect_timeout_s)

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncGenerator[Answer]:
        try:
            async with self._http.session().post(
                self._url, data=body, headers=self._headers, timeout=self._limits
            ) as response:
                if response.method != "POST":
                    # A redirect other than 307 and 308 makes a GET of it, without the messages.
                    raise ConnectionBroken(f"{self._url} has moved to {response.url}: name that address")
                yield HttpAnswer(response)
        except aiohttp.ConnectionTimeoutError:
            waited = format_duration(self._connect_timeout_s)
            raise NotReached(f"no connection to {self._url} within {waited}") from None
        except aiohttp.InvalidURL:
            raise UsageError(f"not an address: {self._url!r}", hint="write it like https://host/path") from None
        except aiohttp.ClientConnectorError as error:
            raise NotReached(f"cannot connect to {self._url}: {error.os_error or error}") from None
        except aiohttp.TooManyRedirects:
            raise ConnectionBroken(f"{self._url} redirects without end: check the address") from None
        except (aiohttp.ClientError, OSError) as error:
            what = str(error) or type(error).__name__
            raise ConnectionBroken(f"{self._url} gave no answer: {what}") from None

    async def close(self) -> None:
        """The connections belong to the run's shared client."""
