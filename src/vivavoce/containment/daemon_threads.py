"""Threads for blocking user code: they end when nobody waits any more, and never keep viva from ending."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")
Job = Callable[[], None]


class Abandoned(SystemExit):
    """Raised inside a thread whose work nobody wants any more; `except Exception` does not stop it."""


async def in_daemon_thread(work: Callable[[], T]) -> T:
    """Runs blocking work in a thread, in the caller's context. Cancelling returns at once."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()
    context = copy_context()

    def job() -> None:
        with _HandedOver(loop, done) as handover:
            handover.set_later(done.set_result, context.run(work))

    worker = _idle_or_new_worker()
    worker.begin(job)
    try:
        return await done
    except asyncio.CancelledError:
        worker.abandon(job)
        raise


class _HandedOver:
    """Whatever happens inside, in a thread, happens to the one who waits for `done`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, done: "asyncio.Future[Any]") -> None:
        self._loop = loop
        self._done = done

    def __enter__(self) -> "_HandedOver":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> bool:
        if isinstance(error, StopIteration):
            # A future cannot carry it, and a coroutine would do the same.
            error = RuntimeError(f"StopIteration: {error}")
        elif isinstance(error, KeyboardInterrupt | GeneratorExit):
            # Ctrl-C reaches the main thread only: here somebody raised it, and it would end every other case.
            error = RuntimeError(f"{type(error).__name__} was raised").with_traceback(error.__traceback__)
        if error is not None:
            self.set_later(self._done.set_exception, error)
        return True

    def set_later(self, how: Callable[[Any], None], what: Any) -> None:
        def unless_abandoned() -> None:
            if not self._done.done():
                how(what)

        with suppress(RuntimeError):  # the loop is closed: the run is over, and nobody waits any more
            self._loop.call_soon_threadsafe(unless_abandoned)


class _Worker:
    """A thread that works off one job after the other, until one of them is abandoned."""

    def __init__(self) -> None:
        self._inbox: SimpleQueue[Job] = SimpleQueue()
        self._current: Job | None = None
        self._abandoned = False
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._work, name="viva-user-code", daemon=True)
        self._thread.start()

    def begin(self, job: Job) -> None:
        self._current = job
        self._inbox.put(job)

    def abandon(self, job: Job) -> None:
        """Ends the thread if it is still at this job: a loop at once, a call to the system when that returns."""
        import ctypes  # only ever needed for agents that do not answer

        with self._lock:
            if self._current is job:
                self._abandoned = True
                ident = ctypes.c_ulong(self._thread.ident or 0)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Abandoned))

    def _work(self) -> None:
        with suppress(Abandoned):
            while not self._abandoned:
                self._inbox.get()()
                with self._lock:
                    self._current = None
                if not self._abandoned:
                    _idle.append(self)


_idle: deque[_Worker] = deque()


def _idle_or_new_worker() -> _Worker:
    try:
        return _idle.pop()
    except IndexError:
        return _Worker()
