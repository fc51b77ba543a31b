"""Threads for blocking user code: they end when nobody waits any more, and never keep viva from ending.

There are as many threads as there were jobs at once, and all take their jobs from one queue. A short job costs little
so: the thread that is awake works off what is waiting before the others are awake, and the event loop is woken once
for all that is finished. A thread that takes a job from the queue wakes the next one, so long jobs run at once.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")


class Abandoned(SystemExit):
    """Raised inside a thread whose result is not needed any more; `except Exception` does not catch it."""


async def in_daemon_thread(work: Callable[[], T]) -> T:
    """Runs blocking work in a thread, in the caller's context. Cancelling returns at once."""
    job = _Job(work, _deliveries_to(asyncio.get_running_loop()))
    _threads.begin(job)
    try:
        return await job.done
    except asyncio.CancelledError:
        _threads.abandon(job)
        raise


class _Deliveries:
    """Brings the results of threads to their event loop, several at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._finished: deque[_Job] = deque()
        self._is_called = False

    def add(self, job: "_Job") -> None:
        self._finished.append(job)
        if not self._is_called:
            self._is_called = True
            with suppress(RuntimeError):  # the loop is closed: the run is over, and nobody waits any more
                self.loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._is_called = False  # first of all: what is added from now on calls again
        while self._finished:
            self._finished.popleft().deliver()


_of_this_thread = threading.local()


def _deliveries_to(loop: asyncio.AbstractEventLoop) -> _Deliveries:
    deliveries: _Deliveries | None = getattr(_of_this_thread, "deliveries", None)
    if deliveries is None or deliveries.loop is not loop:
        deliveries = _of_this_thread.deliveries = _Deliveries(loop)
    return deliveries


class _Job:
    """Work for a thread, and the future that somebody waits for."""

    __slots__ = ("_context", "_error", "_result", "_work", "deliveries", "done", "is_unwanted", "thread")

    def __init__(self, work: Callable[[], Any], deliveries: _Deliveries) -> None:
        self._work = work
        self._context = copy_context()
        self._result: Any = None
        self._error: BaseException | None = None
        self.deliveries = deliveries
        self.done: asyncio.Future[Any] = deliveries.loop.create_future()
        self.thread: int | None = None
        """The thread that works on it."""
        self.is_unwanted = False

    def run(self) -> None:
        """Works, and keeps whatever comes of it."""
        try:
            self._result = self._context.run(self._work)
        except StopIteration as error:
            # A future cannot carry StopIteration. A coroutine that raises it gives this error too.
            self._error = RuntimeError(f"StopIteration: {error}")
        except (KeyboardInterrupt, GeneratorExit) as error:
            # Ctrl-C reaches the main thread only: here somebody raised it, and it would end every other case.
            self._error = RuntimeError(f"{type(error).__name__} was raised").with_traceback(error.__traceback__)
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is awaited
            self._error = error

    def deliver(self) -> None:
        """Runs in the event loop: passes the outcome to the waiting task."""
        if self.done.done():
            return
        if self._error is not None:
            self.done.set_exception(self._error)
        else:
            self.done.set_result(self._result)


class _Threads:
    """As many threads as there are jobs at once; each works off one job after the other."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[_Job] = SimpleQueue()
        self._lock = threading.Lock()
        self._running = 0
        self._unfinished = 0

    def begin(self, job: _Job) -> None:
        with self._lock:
            self._unfinished += 1
            is_one_missing = self._unfinished > self._running
            self._running += is_one_missing
        if is_one_missing:
            try:
                threading.Thread(target=self._work, name="viva-user-code", daemon=True).start()
            except RuntimeError:
                with self._lock:
                    self._unfinished -= 1
                    self._running -= 1
                raise
        self._jobs.put(job)

    def abandon(self, job: _Job) -> None:
        """Ends the thread that works on this job: in a loop at once, in a call to the system when that returns."""
        import ctypes  # only ever needed for agents that do not answer

        with self._lock:
            job.is_unwanted = True
            if job.thread is not None:
                self._unfinished -= 1
                self._running -= 1
                ident = ctypes.c_ulong(job.thread)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Abandoned))

    def _work(self) -> None:
        ident = threading.get_ident()
        with suppress(Abandoned):
            while True:
                job = self._jobs.get()
                with self._lock:
                    if job.is_unwanted:
                        self._unfinished -= 1
                        continue
                    job.thread = ident
                job.run()
                with self._lock:
                    if job.is_unwanted:
                        return  # not counted any more
                    job.thread = None  # from here on this thread cannot be abandoned: others' results pass through it
                    self._unfinished -= 1
                job.deliveries.add(job)
                del job


_threads = _Threads()
