"""User code runs in viva's event loop: it can neither stop the loop nor flood the screen with errors of its tasks."""

import asyncio
import sys
from collections.abc import Coroutine
from time import monotonic
from typing import Any

from vivavoce.containment.user_errors import describe_exception, user_frames

_MOST_REPORTED = 5


async def undisturbed(work: Coroutine[Any, Any, int]) -> int:
    """Awaits `work` while user code in the same loop can neither stop the loop nor print errors of its own tasks."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    # asyncio looks up time.monotonic at every turn: user code that freezes it would stop all timers.
    setattr(loop, "time", monotonic)  # noqa: B010 - a method, for pyright
    really_stop = loop.stop

    def stop() -> None:
        if task is not None and not task.done():
            raise RuntimeError("the event loop is viva's: stop() is not for the code under test")
        really_stop()

    setattr(loop, "stop", stop)  # noqa: B010 - a method, for pyright
    stray_errors = StrayErrors()
    loop.set_exception_handler(stray_errors.note)
    try:
        return await work
    finally:
        stray_errors.report()


class StrayErrors:
    """Errors in tasks and callbacks of user code that nobody awaits; they become warnings after the run."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def note(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(error := context.get("exception"), Exception):
            left = (
                "something the agent left running failed: "
                if user_frames(error) or not isinstance(error, OSError)
                else ""
            )
            words = left + describe_exception(error)
            self._seen[words] = self._seen.get(words, 0) + 1

    def report(self) -> None:
        for words, times in list(self._seen.items())[:_MOST_REPORTED]:
            often = f" ({times} times)" if times > 1 else ""
            print(f"viva: warning: {words}{often}", file=sys.stderr)
        if len(self._seen) > _MOST_REPORTED:
            print(f"viva: warning: … and {len(self._seen) - _MOST_REPORTED} more like it", file=sys.stderr)
