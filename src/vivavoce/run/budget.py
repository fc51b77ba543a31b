"""A case's time: cut during a call, standing still while a person thinks."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager
from math import inf
from time import monotonic
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
        began = monotonic()
        stretch.hold()
        try:
            yield
        finally:
            waited = monotonic() - began
            self.left += waited
            self.given_back += waited
            stretch.go_on(waited)


class Running:
    """A stretch of counted time. What asyncio.timeout does, at a fraction of its cost: every turn passes through."""

    __slots__ = (
        "_alarm",
        "_budget",
        "_cancelled_before",
        "_held_at",
        "_is_over",
        "_started",
        "blocked",
        "deadline",
        "task",
    )

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._is_over = False
        self.blocked = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.task = task
        self._cancelled_before = task.cancelling()
        self._started = monotonic()
        self.deadline = self._started + self._budget.left
        self._budget.stretch = self
        STRETCHES.add(self)
        self._alarm = _alarm_of(task.get_loop())
        self._alarm.set(self.deadline)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        STRETCHES.discard(self)
        self._budget.stretch = None
        self._budget.left -= monotonic() - self._started
        if self.blocked and isinstance(error, Exception):
            raise OutOfTime(str(error)) from None
        # Somebody else may have cancelled the task as well: that is theirs to handle.
        if self._is_over and self.task.uncancel() <= self._cancelled_before and kind is asyncio.CancelledError:
            raise OutOfTime from None

    def hold(self) -> None:
        self._held_at, self.deadline = self.deadline, inf

    def go_on(self, later_s: float) -> None:
        self.deadline = self._held_at + later_s
        self._alarm.set(self.deadline)

    def give_back(self, seconds: float) -> None:
        """Time in which its agent could not work, through no fault of its own."""
        if self.deadline < inf:
            self.deadline += seconds
            self._budget.left += seconds
            self._budget.given_back += seconds

    def end_if_over(self, now: float) -> float:
        """Ends what is awaited when the time is up; returns when to look again."""
        if self.deadline > now:
            return self.deadline
        if not self._is_over:
            self._is_over = True
            self.task.cancel()
        return inf


class _Alarm:
    """One timer for all stretches of an event loop, set for the earliest end: a timer each is what costs most."""

    __slots__ = ("_at", "_timer", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._at = inf
        self._timer: asyncio.TimerHandle | None = None

    def set(self, deadline: float) -> None:
        if deadline < self._at:
            if self._timer is not None:
                self._timer.cancel()
            self._at = deadline
            self._timer = self.loop.call_later(deadline - monotonic(), self._ring)

    def _ring(self) -> None:
        # A loop may be a hair early; it knows no time between now and then.
        now = max(self._at, monotonic())
        self._at, self._timer = inf, None
        ours = [stretch for stretch in list(STRETCHES) if stretch.task.get_loop() is self.loop]
        self.set(min([stretch.end_if_over(now) for stretch in ours], default=inf))


STRETCHES: set[Running] = set()
"""All that is being counted now, for whoever watches over the event loop."""

_of_this_thread = threading.local()


def _alarm_of(loop: asyncio.AbstractEventLoop) -> _Alarm:
    alarm: _Alarm | None = getattr(_of_this_thread, "alarm", None)
    if alarm is None or alarm.loop is not loop:
        alarm = _of_this_thread.alarm = _Alarm(loop)
    return alarm
