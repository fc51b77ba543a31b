"""An exchange that gives one ready answer: the seam of the AG-UI target, without a server."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from vivavoce.targets.ag_ui.exchange import Answer


class OneAnswer:
    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self.bodies: list[bytes] = []

    @asynccontextmanager
    async def post(self, body: bytes) -> AsyncGenerator[Answer, None]:
        self.bodies.append(body)
        yield self._answer

    async def close(self) -> None:
        pass
