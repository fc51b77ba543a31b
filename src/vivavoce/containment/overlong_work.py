"""Viva's own work that user data can make endless, such as a check: at first on the event loop, then in a thread.

Nearly all of it takes microseconds, so nothing is measured. The thread that watches the loop (loop_watch) interrupts
work that has held the loop up for a second. It is then begun again in a thread, where it costs no other case its time,
and given up at its limit.
"""

import asyncio
from collections.abc import Callable, Coroutine
from inspect import currentframe
from types import CodeType, FrameType
from typing import Any, TypeVar

from vivavoce.containment.daemon_threads import in_daemon_thread
from vivavoce.containment.running_loop import loop_is_running
from vivavoce.errors import VivaError

T = TypeVar("T")

LIMIT_S = 30.0
"""Seconds for one check in a thread, unless `judge_timeout` is shorter."""
_IMPORTING = "<frozen importlib"


class HeldUpLoop(BaseException):
    """Raised inside the work that holds up the event loop; `except Exception` does not stop it."""


class TookTooLong(VivaError):
    """The work did not end within its limit."""


_interruptible: set[CodeType] = set()


def interruptible(function: Callable[..., Coroutine[Any, Any, T]]) -> Callable[..., Coroutine[Any, Any, T]]:
    """Marks a function whose work may be interrupted by HeldUpLoop and begun again: it changes nothing outside."""
    _interruptible.add(function.__code__)
    return function


def may_be_interrupted(frame: FrameType | None) -> bool:
    """Whether a marked function is running here; not in the middle of an import, which would stay half done."""
    marked = False
    while frame is not None:
        if frame.f_code.co_filename.startswith(_IMPORTING):
            return False
        marked = marked or frame.f_code in _interruptible
        frame = frame.f_back
    return marked


def leave_loop() -> None:
    """For long work that nothing interrupts: on the event loop it raises HeldUpLoop, to be begun again in a thread."""
    if loop_is_running() and may_be_interrupted(currentframe()):
        raise HeldUpLoop


async def finished_apart(work: Callable[[], T], limit_s: float, what: str) -> T:
    """Does the work in a thread. Raises TookTooLong when the limit is reached; the thread is abandoned then."""
    try:
        async with asyncio.timeout(limit_s):
            return await in_daemon_thread(work)
    except TimeoutError:
        raise TookTooLong(f"{what} took longer than {limit_s:g}s, the limit for it") from None


def without_waiting(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that has nothing to wait for, without an event loop."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value
    finally:
        work.close()
    raise TookTooLong("the work held up the event loop for more than a second")
