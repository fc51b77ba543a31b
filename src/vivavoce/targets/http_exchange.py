"""One HTTP request to an agent and its streamed answer: redirects stay on the same server, nothing is sent twice."""

from collections.abc import AsyncIterator, Mapping

from yarl import URL

from vivavoce.errors import UsageError
from vivavoce.net.http_client import HttpClient
from vivavoce.net.http_connection import HttpResponse
from vivavoce.net.http_failures import CannotConnect, ConnectTimedOut, HttpFailure
from vivavoce.net.inflating import LARGEST_ANSWER
from vivavoce.net.redirects import RedirectRefused, redirected
from vivavoce.net.sendable_headers import refuse_unsendable
from vivavoce.net.server_sent_events import FrameTooLarge
from vivavoce.notation.durations import format_duration
from vivavoce.wording.quoting import shorten

_REPEATS_THE_POST = (307, 308)
_MOST_REDIRECTS = 10
_SHORT = 200


class NotReached(Exception):
    """The request never got to a server: nothing was executed."""


class ConnectionBroken(Exception):
    """The server was there, and then the line went dead."""


class HttpAnswer:
    """A live response."""

    def __init__(self, response: HttpResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self._response = response
        self._size = 0

    @property
    def is_complete(self) -> bool:
        return self._response.at_end

    def chunks(self) -> AsyncIterator[bytes]:
        return self

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            chunk = await self._response.read_some()
        except HttpFailure as failure:
            raise ConnectionBroken(str(failure)) from None
        if not chunk:
            raise StopAsyncIteration
        self._size += len(chunk)
        if self._size > LARGEST_ANSWER:
            raise FrameTooLarge(f"an answer of more than {LARGEST_ANSWER >> 20} MB")
        return chunk


HEADERS = "the agent's headers"
"""What headers of the configuration are called in errors."""


class HttpCaller:
    """Sends requests to an agent. Nothing is ever sent twice: that would run the agent's tools twice."""

    def __init__(self, http: HttpClient, headers: Mapping[str, str], connect_s: float) -> None:
        refuse_unsendable(headers, HEADERS)
        self._http = http
        self._headers = headers
        self._connect_s = connect_s

    def request(
        self, method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> "_Request":
        """The answer, to be entered with `async with`. `headers` replace those that every request has.

        Raises NotReached when nobody was there to receive it, ConnectionBroken when no answer came back.
        """
        if headers is not None:
            refuse_unsendable(headers, HEADERS)
        return _Request(self, method, url, body, self._headers if headers is None else headers)

    async def response(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]) -> HttpResponse:
        try:
            return await self._answered(method, url, body, headers)
        except ConnectTimedOut:
            raise NotReached(f"no connection to {url} within {format_duration(self._connect_s)}") from None
        except CannotConnect as failure:
            raise NotReached(f"cannot connect to {url}: {failure}") from None
        except HttpFailure as failure:
            raise ConnectionBroken(f"{url} gave no answer: {failure}") from None
        except ValueError:
            raise UsageError(f"not an address: {url!r}", hint="write it like https://host/path") from None

    async def _answered(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str]) -> HttpResponse:
        """The answer, after redirects on the same host. Headers and messages never go to another host."""
        at = URL(url)
        for _ in range(_MOST_REDIRECTS):
            response = await self._http.request(method, at, headers=headers, body=body, connect_s=self._connect_s)
            try:
                moved_to = redirected(at, response)
            except RedirectRefused as refusal:
                response.release()
                raise ConnectionBroken(str(refusal)) from None
            if moved_to is None:
                return response
            response.release()
            if method != "GET" and response.status not in _REPEATS_THE_POST:
                # The others would make a GET of it, without the messages.
                there = shorten(str(moved_to.with_user(None)), _SHORT)
                raise ConnectionBroken(f"{url} has moved to {there}: name that address")
            at = moved_to
        raise ConnectionBroken(f"{url} redirects without end: check the address")


class _Request:
    """One request: sent on entering, its connection given back on leaving. Cheaper than a generator."""

    def __init__(
        self, caller: HttpCaller, method: str, url: str, body: bytes | None, headers: Mapping[str, str]
    ) -> None:
        self._caller = caller
        self._asked = (method, url, body, headers)
        self._response: HttpResponse | None = None

    async def __aenter__(self) -> HttpAnswer:
        self._response = await self._caller.response(*self._asked)
        return HttpAnswer(self._response)

    async def __aexit__(self, *_: object) -> None:
        if self._response is not None:
            self._response.release()
