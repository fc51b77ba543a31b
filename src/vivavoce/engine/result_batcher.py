"""Results on their way to whoever listens: a few at a time."""

import asyncio
from collections import deque
from collections.abc import Callable

from vivavoce.model.result import CaseResult

_TOGETHER_S = 0.02
_MOST_TOGETHER = 64


class ResultBatcher:
    """Keeps results for a moment and tells of them together.

    The processor's caches hold the code of the conversations or that of the reporters, not both: to change from one
    to the other and back for every single case took longer than the reporting itself.
    """

    def __init__(self, tell: Callable[[CaseResult], None]) -> None:
        self._tell = tell
        self._waiting: deque[CaseResult] = deque()
        self._arrived = asyncio.Event()

    def add(self, result: CaseResult) -> None:
        waiting = self._waiting
        waiting.append(result)
        if (many := len(waiting)) == 1:
            self._arrived.set()
        elif many >= _MOST_TOGETHER:
            self.tell_all()

    def tell_all(self) -> None:
        """Now. What the listener raises passes through; the result it was raised for is not told again."""
        waiting, tell = self._waiting, self._tell
        while waiting:
            tell(waiting.popleft())

    async def as_they_come(self) -> None:
        """Tells until it is cancelled."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            await asyncio.sleep(_TOGETHER_S)
            self.tell_all()
