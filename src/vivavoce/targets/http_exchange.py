"""One HTTP request to an agent and its streamed answer: redirects stay on the same server, nothing is sent twice."""

from collections.abc import AsyncIterator, Mapping

from yarl import URL

from vivavoce.errors import UsageError
from vivavoce.net.http_client import HttpClient
from vivavoce.net.lean_aiohttp import aiohttp
from vivavoce.net.sendable_headers import refuse_unsendable
from vivavoce.net.server_sent_events import FrameTooLarge
from vivavoce.net.web_answers import LARGEST_ANSWER
from vivavoce.notation.durations import format_duration

_MOVED = (301, 302, 303, 307, 308)
_REPEATS_THE_POST = (307, 308)
_MOST_REDIRECTS = 10


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


class HttpCaller:
    """Sends requests to an agent. Nothing is ever sent twice: that would run the agent's tools twice."""

    def __init__(self, http: HttpClient, headers: Mapping[str, str], limits: aiohttp.ClientTimeout) -> None:
        refuse_unsendable(headers, "the agent's headers")
        self._http = http
        self._headers = headers
        self._limits = limits

    def request(
        self, method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> "_Request":
        """The answer, to be entered with `async with`. `headers` replace those that every request has.

        Raises NotReached when nobody was there to receive it, ConnectionBroken when no answer came back.
        """
        return _Request(self, method, url, body, self._headers if headers is None else headers)

    async def response(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]
    ) -> aiohttp.ClientResponse:
        try:
            return await self._answered(method, url, body, headers)
        except aiohttp.ConnectionTimeoutError:
            waited = format_duration(self._limits.connect or 0)
            raise NotReached(f"no connection to {url} within {waited}") from None
        except aiohttp.InvalidURL:
            raise UsageError(f"not an address: {url!r}", hint="write it like https://host/path") from None
        except aiohttp.ClientConnectorError as error:
            raise NotReached(f"cannot connect to {url}: {error.os_error or error}") from None
        except (aiohttp.ClientError, OSError) as error:
            what = str(error) or type(error).__name__
            raise ConnectionBroken(f"{url} gave no answer: {what}") from None

    async def _answered(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]
    ) -> aiohttp.ClientResponse:
        """The answer, after redirects on the same host. Headers and words are for nobody else."""
        at = URL(url)
        for _ in range(_MOST_REDIRECTS):
            # Given bytes, aiohttp would look up each time what to make of them.
            data = None if body is None else aiohttp.BytesPayload(body)
            response = await self._http.session().request(
                method, at, data=data, headers=headers, timeout=self._limits, allow_redirects=False
            )
            if response.status not in _MOVED or (location := response.headers.get("Location")) is None:
                return response
            response.release()
            moved_to = at.join(URL(location))
            if not is_same_server(at, moved_to):
                raise ConnectionBroken(
                    f"{url} redirects to another host, {moved_to.origin()}: nothing was sent there; "
                    f"name that address if it is the right one"
                )
            if method != "GET" and response.status not in _REPEATS_THE_POST:
                # The others would make a GET of it, without the messages.
                raise ConnectionBroken(f"{url} has moved to {moved_to}: name that address")
            at = moved_to
        raise ConnectionBroken(f"{url} redirects without end: check the address")


class _Request:
    """One request: sent on entering, its connection given back on leaving. Cheaper than a generator."""

    def __init__(
        self, caller: HttpCaller, method: str, url: str, body: bytes | None, headers: Mapping[str, str]
    ) -> None:
        self._caller = caller
        self._asked = (method, url, body, headers)
        self._response: aiohttp.ClientResponse | None = None

    async def __aenter__(self) -> HttpAnswer:
        self._response = await self._caller.response(*self._asked)
        return HttpAnswer(self._response)

    async def __aexit__(self, *_: object) -> None:
        # One that was read to its end has given its connection back already.
        if self._response is not None and not self._response.closed:
            self._response.release()
            await self._response.wait_for_close()


def is_same_server(url: URL, other: URL) -> bool:
    """The same host and port; plain HTTP may become HTTPS."""
    same = url.host == other.host and url.port == other.port and url.scheme == other.scheme
    upgraded = url.host == other.host and (url.scheme, other.scheme) == ("http", "https")
    return same or upgraded
