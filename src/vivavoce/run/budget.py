"""A case's time: cut during a call, standing still while a person thinks."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from math import inf
from types import TracebackType


class OutOfTime(Exception):
    """The case's time is used up. Its words, if any, say more than that."""


class Budget:
    """So many seconds of agent time. What runs outside `running()` is free."""

    __slots__ = ("given_back", "left", "seconds", "stretch")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.given_back = 0.0
        """Seconds that were not counted."""
        self.left = seconds
        self.stretch: Running | None = None
        """What is being counted now."""

    def running(self) -> "Running":
        """Spends time; raises OutOfTime in the middle of whatever is awaited when it is gone."""
        return Running(self)

    @contextmanager
    def paused(self) -> Generator[None]:
        """Time spent here is given back: a person is thinking, or we wait for others."""
        stretch = self.stretch
        if stretch is None:
            yield
            return
        loop = asyncio.get_running_loop()
        began = loop.time()
        stretch.hold()
        try:
            yield
        finally:
            waited = loop.time() - began
            self.left += waited
            self.given_back += waited
            stretch.go_on(waited)


class Running:
    """A stretch of counted time. What asyncio.timeout does, at a third of its cost: every turn passes through here."""

    __slots__ = (
        "_budget",
        "_cancelled_before",
        "_held_at",
        "_is_over",
        "_loop",
        "_started",
        "_timer",
        "blocked",
        "deadline",
        "task",
    )

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._is_over = False
        self.blocked = False

    def __enter__(self) -> None:
        self._loop = loop = asyncio.get_running_loop()
        task = asyncio.current_task(loop)
        assert task is not None
        self.task = task
        self._cancelled_before = task.cancelling()
        self._started = loop.time()
        self.deadline = self._started + self._budget.left
        self._timer = loop.call_at(self.deadline, self._end)
        self._budget.stretch = self
        STRETCHES.add(self)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        STRETCHES.discard(self)
        self._timer.cancel()
        self._budget.stretch = None
        self._budget.left -= self._loop.time() - self._started
        if self.blocked and isinstance(error, Exception):
            raise OutOfTime(str(error)) from None
        # Somebody else may have cancelled the task as well: that is theirs to handle.
        if self._is_over and self.task.uncancel() <= self._cancelled_before and kind is asyncio.CancelledError:
            raise OutOfTime from None

    def hold(self) -> None:
        self._timer.cancel()
        self._held_at, self.deadline = self.deadline, inf

    def go_on(self, later_s: float) -> None:
        self.deadline = self._held_at + later_s
        if not self._is_over:
            self._timer = self._loop.call_at(self.deadline, self._end)

    def give_back(self, seconds: float) -> None:
        """Time in which its agent could not work, through no fault of its own."""
        if self.deadline < inf:
            self.hold()
            self.go_on(seconds)
            self._budget.left += seconds
            self._budget.given_back += seconds

    def _end(self) -> None:
        self._is_over = True
        self.task.cancel()


STRETCHES: set[Running] = set()
"""All that is being counted now, for whoever watches over the event loop."""
