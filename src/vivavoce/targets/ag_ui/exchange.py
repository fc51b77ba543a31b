"""How an agent run is sent: one POST, one streamed answer. Live, recorded and replayed ones look the same."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from vivavoce.net.http_client import HttpClient
from vivavoce.protocols import Provisions
from vivavoce.targets.http_exchange import HttpCaller


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


class HttpExchange:
    """A live server."""

    def __init__(
        self,
        http: HttpClient,
        url: str,
        headers: Mapping[str, str],
        connect_s: float,
        provisions: Provisions | None = None,
    ) -> None:
        self._url = url
        self._provisions = provisions
        sent = {"Content-Type": "application/json", **headers, "Accept": "text/event-stream"}
        self._sent = sent
        self._caller = HttpCaller(http, sent, connect_s)

    def post(self, body: bytes) -> AbstractAsyncContextManager[Answer]:
        if self._provisions is None:
            return self._caller.request("POST", self._url, body)
        return self._caller.request("POST", self._url, body, {**self._provisions.headers, **self._sent})

    async def close(self) -> None:
        """The connections belong to the run's shared client."""
