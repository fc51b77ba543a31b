"""Exchanges without a server: the seam of the AG-UI target."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

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
