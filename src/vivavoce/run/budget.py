"""A case's time: cut during a call, standing still while a person thinks."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType


class OutOfTime(Exception):
    """The case's time is used up."""


class Budget:
    """So many seconds of agent time. What runs outside `running()` is free."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.given_back = 0.0
        """Seconds that were not counted."""
        self.left = seconds
        self.scope: asyncio.Timeout | None = None
        """The deadline of what runs now."""

    def running(self) -> "Running":
        """Spends time; raises OutOfTime in the middle of whatever is awaited when it is gone."""
        return Running(self)

    @contextmanager
    def paused(self) -> Generator[None]:
        """Time spent here is given back: a person is thinking, or we wait for others."""
        scope = self.scope
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
            self.left += waited
            self.given_back += waited
            scope.reschedule(deadline + waited)


class Running:
    """A stretch of counted time. A class, not a generator: every turn of every case passes through here."""

    __slots__ = ("_budget", "_scope", "_started")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._started = asyncio.get_running_loop().time()
        self._scope = asyncio.timeout_at(self._started + budget.left)

    async def __aenter__(self) -> None:
        await self._scope.__aenter__()
        self._budget.scope = self._scope

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._budget.scope = None
        self._budget.left -= asyncio.get_running_loop().time() - self._started
        try:
            await self._scope.__aexit__(kind, error, trace)
        except TimeoutError:
            # Only ours: a TimeoutError of the agent's own making passes through as it is.
            raise OutOfTime from None
