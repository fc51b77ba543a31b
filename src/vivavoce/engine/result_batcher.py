"""Reports results to the listeners in small batches."""

import asyncio
from collections import deque
from collections.abc import Callable

from vivavoce.model.result import CaseResult

_TOGETHER_S = 0.02
_MOST_TOGETHER = 64


class ResultBatcher:
    """Collects results for a moment and reports them together.

    The processor's caches hold the code of the conversations or that of the reporters, not both: changing
    between them for every single case took longer than the reporting itself.
    """

    def __init__(self, report: Callable[[CaseResult], None]) -> None:
        self._report = report
        self._waiting: deque[CaseResult] = deque()
        self._arrived = asyncio.Event()

    def add(self, result: CaseResult) -> None:
        waiting = self._waiting
        waiting.append(result)
        if (many := len(waiting)) == 1:
            self._arrived.set()
        elif many >= _MOST_TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Reports everything now. Lets the listener's exceptions through; a result is never reported twice."""
        waiting, report = self._waiting, self._report
        while waiting:
            report(waiting.popleft())

    async def flush_regularly(self) -> None:
        """Reports at intervals until it is cancelled."""
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            await asyncio.sleep(_TOGETHER_S)
            self.flush()
