"""How fast one agent or model is called: limits for parallel calls and calls per second, lower while it is busy."""

import asyncio
import re
from collections import deque
from math import inf
from time import monotonic

from vivavoce.errors import UsageError
from vivavoce.metering.expenses import off_the_clock

_RATE = r"\s*(\d+(?:\.\d+)?)\s*/\s*(s|m|h)\s*"
_SECONDS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def parse_rate(text: str, at: str = "") -> float:
    """Returns the seconds between two calls for `10/s`, `600/m` or `1000/h`."""
    found = re.fullmatch(_RATE, text)
    if found is None or float(found[1]) == 0:
        raise UsageError(f"bad rate {text!r}", at=at, hint="write it like 10/s, 600/m or 1000/h")
    return _SECONDS[found[2]] / float(found[1])


class Pace:
    """Limits calls: `enter` before each, `leave` after it. Costs nothing without limits.

    When a server refuses calls, the number of parallel calls is halved; each successful call raises it again, up to the
    old number. When a server says how long to wait, no call is made until then.
    """

    def __init__(self, max_parallel: int | None = None, interval_s: float = 0.0) -> None:
        self._most = float(max_parallel or inf)
        self._allowed = self._most
        self._too_many = 0
        """The number of parallel calls that the server refused; once as many succeed again, the limit is lifted."""
        self._interval_s = interval_s
        self._next_start = 0.0
        self._quiet_until = 0.0
        self._slowed_at = 0.0
        self._running = 0
        self._queue: deque[asyncio.Future[None]] = deque()

    def entered_at_once(self) -> bool:
        """Enters without waiting if possible; returns whether it did."""
        if self._queue or self._interval_s or self._quiet_until or self._running >= self._allowed:
            return False
        self._running += 1
        return True

    async def enter(self) -> None:
        """Returns when this call may be made. The wait does not count as the agent's time."""
        if self._running < self._allowed and not self._queue:
            self._running += 1
        else:
            await self._stand_in_line()
        if self._interval_s or self._quiet_until:
            try:
                await self._wait_for_the_time()
            except asyncio.CancelledError:
                self.leave()
                raise

    def leave(self) -> None:
        self._running -= 1
        if self._queue:
            self._let_in()

    def went_well(self) -> None:
        """After a successful call: raises the limit of parallel calls a little."""
        if self._allowed < self._most:
            self._allowed += 1 / self._allowed
            if self._allowed >= self._too_many:
                self._allowed = self._most
            self._let_in()

    def turned_away(self, started_at: float, quiet_s: float | None) -> None:
        """After a refused call that began at `started_at`: slows down, and stops for `quiet_s` if the server asked."""
        now = monotonic()
        if quiet_s is not None:
            self._quiet_until = max(self._quiet_until, now + quiet_s)
        # Calls made at the same time are refused at the same time: slow down once for all of them.
        if started_at >= self._slowed_at:
            self._slowed_at = now
            if self._allowed == self._most:
                self._too_many = max(self._running, 2)
            self._allowed = float(max(1, self._running // 2))

    async def _stand_in_line(self) -> None:
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(place)
        try:
            with off_the_clock():
                await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave()
            raise

    def _let_in(self) -> None:
        while self._queue and self._running < self._allowed:
            place = self._queue.popleft()
            if not place.done():
                self._running += 1
                place.set_result(None)

    async def _wait_for_the_time(self) -> None:
        start = max(monotonic(), self._next_start)
        self._next_start = start + self._interval_s
        while (delay := max(start, self._quiet_until) - monotonic()) > 0:
            with off_the_clock():
                await asyncio.sleep(delay)
        if self._quiet_until <= monotonic():
            self._quiet_until = 0.0
