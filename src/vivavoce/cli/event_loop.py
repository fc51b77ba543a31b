"""The event loop a run works in: uvloop where it is installed, unless VIVA_LOOP=asyncio."""

import asyncio
import gc
import os
import sys
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any

from vivavoce.containment.shared_loop import undisturbed
from vivavoce.errors import UsageError, VivaError

_LARGER_THAN_ANY_BUFFER = 2**20
_LAST_TASKS_S = 10.0


def run_async(main: Callable[[], Coroutine[Any, Any, int]]) -> int:
    """Runs `main` to its end, in the fastest loop there is."""
    collect_rarely()
    keep_freed_memory()
    with asyncio.Runner(loop_factory=_loop_factory(os.environ.get("VIVA_LOOP"))) as runner:
        try:
            return runner.run(undisturbed(main()))
        except asyncio.CancelledError:
            raise VivaError("the code under test cancelled viva's own tasks: the run is not complete") from None
        finally:
            runner.run(leave_no_task(_LAST_TASKS_S))
            # The runner would wait for ever for a thread of the loop's executor that never ends.
            if (threads := sys.modules.get("concurrent.futures.thread")) is not None:
                runner.get_loop().set_default_executor(threads.ThreadPoolExecutor(1))


async def leave_no_task(limit_s: float) -> None:
    """Cancels the tasks that are left, and waits for their end, but no longer than this.

    The loop itself would wait for ever for a task that refuses to end, such as the client of a library whose clean-up
    was interrupted by a second Ctrl-C.
    """
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    _, stuck = await asyncio.wait(tasks, timeout=limit_s) if tasks else ((), ())
    for task in stuck:
        abandoned: Any = task
        abandoned._log_destroy_pending = False  # its end is nobody's business any more
        unregister: Any = getattr(asyncio, "_unregister_task")  # noqa: B009 - part of asyncio's interface, not of its stubs
        unregister(task)


def collect_rarely() -> None:
    """Collects garbage seldom: loaded modules stay and results are freed at once, so there is little to collect."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def keep_freed_memory() -> None:
    """Shows the allocator that large blocks come and go, so that it keeps them at hand.

    asyncio makes a buffer of 256 KB for everything it receives. glibc asks the kernel for a block of that size
    each time, which costs more than the receiving. It stops doing so once a larger block was freed.
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
