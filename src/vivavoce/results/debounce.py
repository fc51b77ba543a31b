"""Delays an action by a moment, and runs it once for all requests that came in the meantime."""

import asyncio
from collections.abc import Callable


class Debounce:
    """Puts an action off by a moment, so that a hundred results in it cost one write. Where no loop runs, at once."""

    __slots__ = ("_action", "_delay_s", "_problem", "_timer")

    def __init__(self, action: Callable[[], None], delay_s: float) -> None:
        self._action = action
        self._delay_s = delay_s
        self._timer: asyncio.TimerHandle | None = None
        self._problem: OSError | None = None

    def ask(self) -> None:
        """Raises the error of the last write, if any: it happened where nobody could catch it."""
        if self._problem is not None:
            raise self._problem
        if self._timer is not None:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._action()
            return
        self._timer = loop.call_later(self._delay_s, self._act)

    def forget(self) -> None:
        """It was done already, or is no longer wanted."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _act(self) -> None:
        self._timer = None
        try:
            self._action()
        except OSError as problem:
            self._problem = problem
