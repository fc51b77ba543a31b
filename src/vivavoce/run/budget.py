"""A case's time: cut during a call, standing still while a person thinks."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager


class OutOfTime(Exception):
    """The case's time is used up."""


class Budget:
    """So many seconds of agent time. What runs outside `running()` is free."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.given_back = 0.0
        """Seconds that were not counted."""
        self._left = seconds
        self._scope: asyncio.Timeout | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Spends time; raises OutOfTime in the middle of whatever is awaited when it is gone."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        scope = asyncio.timeout_at(started + self._left)
        try:
            async with scope:
                self._scope = scope
                yield
        except TimeoutError:
            # A TimeoutError of the agent's own making is not ours to swallow.
            if scope.expired():
                raise OutOfTime from None
            raise
        finally:
            self._scope = None
            self._left -= loop.time() - started

    @contextmanager
    def paused(self) -> Generator[None]:
        """Time spent here is given back: a person is thinking, or we wait for others."""
        scope = self._scope
        if scope is None or (deadline := scope.when()) is None:
            yield
            return
        loop = asyncio.get_running_loop()
        began = loop.time()
        scope.reschedule(None)
        try:
            yield
        finally:
            waited = loop.time() - began
            self._left += waited
            self.given_back += waited
            scope.reschedule(deadline + waited)
