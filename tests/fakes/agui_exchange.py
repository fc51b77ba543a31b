"""Exchanges without a server: the seam of the AG-UI target."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import ClassVar

from vivavoce.targets.ag_ui.exchange import Answer
from vivavoce.targets.http_exchange import NotReached


class OneAnswer:
    """The same ready answer every time."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.bodies: list[bytes] = []

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncGenerator[Answer, None]:
        self.bodies.append(body)
        yield self._answer

    async def close(self) -> None:
        pass


class GoneAfterOne(OneAnswer):
    """A server that is there for the first run only."""

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncGenerator[Answer, None]:
        if self.bodies:
            raise NotReached("cannot connect")
        async with super().post(body) as answer:
            yield answer


class ReadyStream:
    """A response whose whole stream is there."""

    status = 200
    headers: ClassVar[dict[str, str]] = {"content-type": "text/event-stream"}
    is_complete = True

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def chunks(self) -> AsyncIterator[bytes]:
        yield self._body


class OneStreamEach:
    """The n-th run gets the n-th stream."""

    def __init__(self, *bodies: bytes) -> None:
        self._bodies = list(bodies)

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncGenerator[Answer, None]:
        yield ReadyStream(self._bodies.pop(0))

    async def close(self) -> None:
        pass
