"""The seam to the world: one POST, one streamed answer. Live, recorded and replayed ones look the same."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

import aiohttp
from yarl import URL

from vivavoce.errors import UsageError
from vivavoce.net.http_client import HttpClient
from vivavoce.net.server_sent_events import FrameTooLarge
from vivavoce.notation.durations import format_duration

_MOVED = (301, 302, 303, 307, 308)
_REPEATS_THE_POST = (307, 308)
_MOST_REDIRECTS = 10
LARGEST_ANSWER = 2**28
"""Bytes, after decompression."""


class Answer(Protocol):
    """A response whose body is still arriving."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]:
        """Found under names in lower case."""
        ...

    def chunks(self) -> AsyncIterator[bytes]:
        """The body as it arrives. Raises ConnectionBroken when it stops before its end."""
        ...

    @property
    def is_complete(self) -> bool:
        """Whether it is known already that no chunk follows."""
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
        self.headers = response.headers
        self._content = response.content
        self._size = 0

    @property
    def is_complete(self) -> bool:
        return self._content.at_eof()

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

    def __init__(self, http: HttpClient, url: str, headers: Mapping[str, str], limits: aiohttp.ClientTimeout) -> None:
        self._http = http
        self._url = url
        self._headers = {"Content-Type": "application/json", **headers, "Accept": "text/event-stream"}
        self._limits = limits

    def post(self, body: bytes) -> "_Post":
        return _Post(self, body)

    async def answer_to(self, body: bytes) -> aiohttp.ClientResponse:
        try:
            return await self._answered(body)
        except aiohttp.ConnectionTimeoutError:
            waited = format_duration(self._limits.connect or 0)
            raise NotReached(f"no connection to {self._url} within {waited}") from None
        except aiohttp.InvalidURL:
            raise UsageError(f"not an address: {self._url!r}", hint="write it like https://host/path") from None
        except aiohttp.ClientConnectorError as error:
            raise NotReached(f"cannot connect to {self._url}: {error.os_error or error}") from None
        except (aiohttp.ClientError, OSError) as error:
            what = str(error) or type(error).__name__
            raise ConnectionBroken(f"{self._url} gave no answer: {what}") from None

    async def _answered(self, body: bytes) -> aiohttp.ClientResponse:
        """The answer, after redirects on the same host. Headers and words are for nobody else."""
        url = URL(self._url)
        for _ in range(_MOST_REDIRECTS):
            response = await self._http.session().post(
                url, data=body, headers=self._headers, timeout=self._limits, allow_redirects=False
            )
            if response.status not in _MOVED or (location := response.headers.get("Location")) is None:
                return response
            response.release()
            moved_to = url.join(URL(location))
            if not _is_same_server(url, moved_to):
                raise ConnectionBroken(
                    f"{self._url} redirects to another host, {moved_to.origin()}: nothing was sent there; "
                    f"name that address if it is the right one"
                )
            if response.status not in _REPEATS_THE_POST:
                # The others would make a GET of it, without the messages.
                raise ConnectionBroken(f"{self._url} has moved to {moved_to}: name that address")
            url = moved_to
        raise ConnectionBroken(f"{self._url} redirects without end: check the address")

    async def close(self) -> None:
        """The connections belong to the run's shared client."""


class _Post:
    """One request: sent on entering, its connection given back on leaving. Cheaper than a generator."""

    def __init__(self, exchange: HttpExchange, body: bytes) -> None:
        self._exchange = exchange
        self._body = body
        self._response: aiohttp.ClientResponse | None = None

    async def __aenter__(self) -> Answer:
        self._response = await self._exchange.answer_to(self._body)
        return HttpAnswer(self._response)

    async def __aexit__(self, *_: object) -> None:
        if self._response is not None:
            self._response.release()
            await self._response.wait_for_close()


def _is_same_server(url: URL, other: URL) -> bool:
    """The same host and port; plain HTTP may become HTTPS."""
    same = url.host == other.host and url.port == other.port and url.scheme == other.scheme
    upgraded = url.host == other.host and (url.scheme, other.scheme) == ("http", "https")
    return same or upgraded
