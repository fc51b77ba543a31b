"""The event loop a run works in: uvloop where it is installed, unless VIVA_LOOP=asyncio."""

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any

from vivavoce.containment.user_errors import describe_exception, user_frames
from vivavoce.errors import UsageError, VivaError

_MOST_TOLD = 5
_LARGER_THAN_ANY_BUFFER = 2**20


def run_async(main: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Runs `main` to its end, in the fastest loop there is."""
    collect_rarely()
    keep_freed_memory()
    with asyncio.Runner(loop_factory=_loop_factory(os.environ.get("VIVA_LOOP"))) as runner:
        try:
            return runner.run(_undisturbed(main()))
        except asyncio.CancelledError:
            raise VivaError("the code under test cancelled viva's own tasks: the run is not complete") from None


async def _undisturbed(work: Coroutine[Any, Any, int]) -> int:
    """User code in the same loop can neither stop it nor fill the screen with the troubles of its own tasks."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    really_stop = loop.stop

    def stop() -> None:
        if task is not None and not task.done():
            raise RuntimeError("the event loop is viva's: stop() is not for the code under test")
        really_stop()

    setattr(loop, "stop", stop)  # noqa: B010 - a method, for pyright
    troubles = Troubles()
    loop.set_exception_handler(troubles.note)
    try:
        return await work
    finally:
        troubles.tell()


class Troubles:
    """What went wrong in tasks and callbacks of user code that nobody waited for: a warning, after the run."""

    def __init__(self) -> None:
        self._told: dict[str, int] = {}

    def note(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(error := context.get("exception"), Exception):
            left = (
                "something the agent left running failed: "
                if user_frames(error) or not isinstance(error, OSError)
                else ""
            )
            words = left + describe_exception(error)
            self._told[words] = self._told.get(words, 0) + 1

    def tell(self) -> None:
        for words, times in list(self._told.items())[:_MOST_TOLD]:
            often = f" ({times} times)" if times > 1 else ""
            print(f"viva: warning: {words}{often}", file=sys.stderr)
        if len(self._told) > _MOST_TOLD:
            print(f"viva: warning: … and {len(self._told) - _MOST_TOLD} more like it", file=sys.stderr)


def collect_rarely() -> None:
    """What is loaded stays, and results are freed as they pass: looking for cycles all the time cost a fifth."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def keep_freed_memory() -> None:
    """Shows the allocator that large blocks come and go, so that it keeps them at hand.

    asyncio makes a buffer of 256 KB for everything it receives. glibc has the kernel map and unmap a block of that
    size each time, which costs more than the receiving, until a larger one was given back.
    """
    bytes(_LARGER_THAN_ANY_BUFFER)


def _loop_factory(wanted: str | None) -> Callable[[], asyncio.AbstractEventLoop] | None:
    if wanted == "asyncio":
        return None
    if wanted not in (None, "", "uvloop"):
        raise UsageError(f"bad loop {wanted!r}", at="VIVA_LOOP", hint="use asyncio or uvloop")
    try:
        uvloop: Any = import_module("uvloop")
    except ImportError:
        if wanted:
            raise UsageError("uvloop is not installed", at="VIVA_LOOP", hint="install vivavoce[uvloop]") from None
        return None
    return uvloop.new_event_loop
