"""Work that Ctrl-C ends, so that what it found so far can still be reported."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from vivavoce.containment.loop_watch import LoopWatch


async def was_stopped(work: Coroutine[Any, Any, None], patience_s: float, *, owns_process: bool) -> bool:
    """Awaits `work`. Returns True when Ctrl-C, SIGTERM or SIGHUP ended it before it was done.

    In a process that viva does not own, signal handlers are not changed. `patience_s` is how long user code may block
    the event loop.
    """
    if not owns_process:
        await work
        return False
    task = asyncio.ensure_future(work)
    is_asked = False

    def stop() -> None:
        nonlocal is_asked
        is_asked = True
        task.cancel()

    with LoopWatch(patience_s, stop=stop):
        try:
            await task
        except asyncio.CancelledError:
            if not is_asked:
                raise
            return True
    return False
