"""A case's time: cut during a call, standing still while a person thinks."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import contextmanager
from math import inf
from time import monotonic
from types import TracebackType


class OutOfTime(Exception):
    """The case's time is used up. Its message, if it has one, says why."""


class TimeLimit:
    """So many seconds of agent time, spent inside `with time_limit:`; what runs outside is free.

    When they are gone, OutOfTime is raised in the middle of whatever is awaited. That is what asyncio.timeout does, at
    a fraction of its cost: every turn passes through here.
    """

    __slots__ = (
        "_alarm",
        "_cancelled_before",
        "_is_over",
        "_left",
        "_started",
        "blocked",
        "case_id",
        "deadline",
        "given_back",
        "seconds",
        "task",
    )

    def __init__(self, seconds: float, case_id: str = "") -> None:
        self.seconds = seconds
        self.case_id = case_id
        self.given_back = 0.0
        """Seconds that were not counted."""
        self._left = seconds
        self.task: asyncio.Task[object] | None = None
        """The task that spends it now."""

    def __enter__(self) -> None:
        self.task = task = asyncio.current_task()
        assert task is not None
        self._cancelled_before = task.cancelling()
        self._is_over = self.blocked = False
        self._started = monotonic()
        self.deadline = self._started + self._left
        RUNNING.add(self)
        self._alarm = alarm = _alarm_of(task.get_loop())
        if self.deadline < alarm.at:
            alarm.set(self.deadline)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        RUNNING.discard(self)
        self._left -= monotonic() - self._started
        task, self.task = self.task, None
        assert task is not None
        if self.blocked and isinstance(error, Exception):
            raise OutOfTime(str(error)) from None
        # Somebody else may have cancelled the task as well: that is theirs to handle. An agent that does not let itself
        # be cancelled and says something after all says it too late.
        if self._is_over and task.uncancel() <= self._cancelled_before and _can_be_late(kind):
            raise OutOfTime from None

    @contextmanager
    def paused(self) -> Generator[None]:
        """Time spent inside does not count: a person is thinking, or viva waits for others."""
        if self.task is None:
            yield
            return
        began, due, self.deadline = monotonic(), self.deadline, inf
        try:
            yield
        finally:
            self.deadline = due
            self.give_back(monotonic() - began)
            self._alarm.set(self.deadline)

    def give_back(self, seconds: float) -> None:
        """Time in which the agent could not work, through no fault of its own."""
        if self.deadline < inf:
            self.deadline += seconds
            self._left += seconds
            self.given_back += seconds

    def end_if_over(self, now: float) -> float:
        """Ends what is awaited when the time is up; returns when to look again."""
        if self.deadline > now:
            return self.deadline
        if not self._is_over and self.task is not None:
            self._is_over = True
            self.task.cancel()
        return inf


def _can_be_late(kind: type[BaseException] | None) -> bool:
    return kind is None or issubclass(kind, Exception | asyncio.CancelledError)


RUNNING: set[TimeLimit] = set()
"""All limits in use now, for the watch over the event loop."""


class _Alarm:
    """One timer for all budgets of an event loop, set for the earliest end: a timer each is what costs most."""

    __slots__ = ("_timer", "at", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.at = inf
        self._timer: asyncio.TimerHandle | None = None

    def set(self, deadline: float) -> None:
        if deadline < self.at:
            if self._timer is not None:
                self._timer.cancel()
            self.at = deadline
            self._timer = self.loop.call_later(deadline - monotonic(), self._ring)

    def _ring(self) -> None:
        # A loop may wake up slightly too early.
        now = max(self.at, monotonic())
        self.at, self._timer = inf, None
        # Other threads may have loops and budgets of their own.
        ours = [b for b in list(RUNNING) if b.task is not None and b.task.get_loop() is self.loop]
        self.set(min([budget.end_if_over(now) for budget in ours], default=inf))


_of_this_thread = threading.local()


def _alarm_of(loop: asyncio.AbstractEventLoop) -> _Alarm:
    try:
        alarm: _Alarm = _of_this_thread.alarm
    except AttributeError:
        alarm = _of_this_thread.alarm = _Alarm(loop)
    if alarm.loop is not loop:
        alarm = _of_this_thread.alarm = _Alarm(loop)
    return alarm
