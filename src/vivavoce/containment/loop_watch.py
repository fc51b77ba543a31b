"""Ctrl-C, SIGTERM and agents that block the event loop: whatever user code does, a run can end and go on.

Signals are handled by Python itself, not by the loop, which cannot hear them while it is blocked. A thread asks the
loop for a sign of life a few times a second; when none comes although a case's time is up, or somebody wants the run
to end, it interrupts the user code that does not give way: by a signal to the main thread, which also ends a sleep.
A loop in another thread cannot be helped that way and is not watched.
"""

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType, TracebackType
from typing import Any, ClassVar

from msgspec import Struct

from vivavoce.containment.overlong_work import HeldUpLoop, may_be_interrupted
from vivavoce.containment.taken_python import watch_what_is_taken
from vivavoce.containment.time_limit import RUNNING, TimeLimit
from vivavoce.containment.user_errors import is_the_users, shown
from vivavoce.containment.user_functions import UserFunction

_LOOK_S = 0.25
_PATIENCE_S = 1.0
_TRIES = 6
_SAME_KEY_S = 0.2
_POKE = signal.SIGURG
"""The signal: nobody else uses it, and by default it does nothing."""
_STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_LOOP_FILES = tuple(f"asyncio/{name}.py" for name in ("runners", "events", "base_events"))


class LoopBlocked(BaseException):
    """Raised inside user code that blocks the event loop; `except Exception` does not stop it."""

    def __init__(self) -> None:
        super().__init__("the agent blocked the event loop: use await, or a plain def")


class Stuck(Struct, frozen=True):
    """User code that cannot be interrupted."""

    place: str
    case: str
    stop_wanted: bool


class LoopWatch:
    """Around whatever runs user code in an event loop. Of several at once the first watches, until the last is over.

    `stop` is called in the loop when somebody wants the run to end; without it, Ctrl-C and SIGTERM stay whose they are.
    `give_up` is called in a thread when nothing else helps.
    """

    _on_duty: ClassVar["LoopWatch | None"] = None

    def __init__(
        self,
        patience_s: float,
        *,
        stop: Callable[[], None] | None = None,
        give_up: Callable[[Stuck], None] | None = None,
    ) -> None:
        self._patience_s = patience_s
        """How long user code may block that is not on a case's time, such as a judge."""
        self._stop = stop
        self._give_up = give_up
        self._before: dict[signal.Signals, Any] = {}
        self._watcher: LoopWatch | None = None
        """Who watches here: this one, or one that began earlier."""
        self._users = 0
        self._stop_wanted = False
        self._stop_wanted_at = 0.0
        self._ran = True
        self._blocked_s = 0.0
        self._tries = 0
        self._tried: TimeLimit | None = None
        self._over = threading.Event()

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        if LoopWatch._on_duty is None:
            LoopWatch._on_duty = self
            self._begin()
        self._watcher = LoopWatch._on_duty
        self._watcher._users += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        watcher = self._watcher
        if watcher is None:
            return
        watcher._users -= 1
        if not watcher._users:
            LoopWatch._on_duty = None
            watcher._end()

    def _begin(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._main = threading.get_ident()
        self._process = os.getpid()
        self._before[_POKE] = signal.signal(_POKE, self._poked)
        if self._stop is not None:
            for number in _STOPPING:
                if number == signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN:
                    continue  # started by nohup
                self._before[number] = signal.signal(number, partial(self._asked_to_stop, self._stop))
        threading.Thread(target=self._watch, name="viva-loop-watch", daemon=True).start()

    def _end(self) -> None:
        self._over.set()
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _asked_to_stop(self, stop: Callable[[], None], number: int, _frame: FrameType | None) -> None:
        if os.getpid() != self._process:
            # A child that user code forked ends as if viva had never been there.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        if self._stop_wanted:
            # A second Ctrl-C means it; one sent to a whole process group arrives twice (guard_process passes it on).
            if number == signal.SIGINT and time.monotonic() - self._stop_wanted_at > _SAME_KEY_S:
                raise KeyboardInterrupt
            return
        self._stop_wanted, self._stop_wanted_at = True, time.monotonic()
        self._loop.call_soon_threadsafe(stop)

    def _poked(self, _number: int, frame: FrameType | None) -> None:
        """In the main thread, in the middle of whatever it does."""
        held_up = _user_code(frame) is None and may_be_interrupted(frame)
        if self._ran or not (held_up or _user_code(frame)):
            return
        blocked_s, self._blocked_s = self._blocked_s, 0.0
        task = asyncio.current_task(self._loop)
        if self._stop_wanted and self._stop is not None and task is not None:
            # The one in the loop's queue comes too late for code that asks why the task is cancelled.
            self._stop()
            task.cancel()
            raise asyncio.CancelledError
        for budget in RUNNING:
            if budget.task is task and not held_up:
                budget.blocked = True
            else:
                budget.give_back(blocked_s)
        raise HeldUpLoop if held_up else LoopBlocked

    def _watch(self) -> None:
        last_look = time.monotonic()
        while not self._over.wait(_LOOK_S):
            watch_what_is_taken()
            now = time.monotonic()
            if self._ran:
                self._ran, self._blocked_s, self._tries = False, 0.0, 0
                with suppress(RuntimeError):  # the loop is closed
                    self._loop.call_soon_threadsafe(self._give_sign_of_life)
            else:
                # A process that was stopped for an hour was not blocked for an hour.
                self._blocked_s += min(now - last_look, 2 * _LOOK_S)
                if self._blocked_s >= _PATIENCE_S:
                    self._interrupt(now)
            last_look = now

    def _give_sign_of_life(self) -> None:
        self._ran = True

    def _interrupt(self, now: float) -> None:
        frame = sys._current_frames().get(self._main)  # pyright: ignore[reportPrivateUsage]
        place = _user_code(frame)
        if place is None:
            if may_be_interrupted(frame):
                signal.pthread_kill(self._main, _POKE)
            return
        culprit = self._culprit()
        if not (self._stop_wanted or self._is_overdue(culprit, now)):
            return
        self._tries = self._tries + 1 if culprit is self._tried else 1
        self._tried = culprit
        if self._tries > _TRIES and self._give_up is not None:
            self._give_up(Stuck(place, culprit.case_id if culprit is not None else "", self._stop_wanted))
        signal.pthread_kill(self._main, _POKE)

    def _culprit(self) -> TimeLimit | None:
        """The time limit of the task that runs; a task that user code started has none."""
        task = asyncio.current_task(self._loop)
        return next((budget for budget in list(RUNNING) if budget.task is task), None)

    def _is_overdue(self, culprit: TimeLimit | None, now: float) -> bool:
        budgets = list(RUNNING) if culprit is None else [culprit]
        if not budgets:
            return self._blocked_s > self._patience_s
        return any(budget.deadline < now for budget in budgets)


def _user_code(frame: FrameType | None) -> str | None:
    """Where user code is running in this callback or task; None when it is viva's own."""
    innermost, called = frame, False
    while frame is not None and not frame.f_code.co_filename.endswith(_LOOP_FILES):
        if is_the_users(frame.f_code.co_filename):
            return f"{shown(frame.f_code.co_filename)}:{frame.f_lineno}"
        if frame.f_code is UserFunction.call.__code__ and frame is not innermost and innermost is not None:
            # An agent from an installed package.
            called = True
            break
        frame = frame.f_back
    return f"{innermost.f_code.co_filename}:{innermost.f_lineno}" if called and innermost is not None else None
