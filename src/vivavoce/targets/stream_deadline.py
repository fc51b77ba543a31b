"""How long to wait for an agent that streams its answer."""

import asyncio

from msgspec import Struct

from vivavoce.errors import UsageError
from vivavoce.notation.durations import format_duration, parse_duration
from vivavoce.protocols import TargetSpec

LINGER_S = 1.0
"""How long a server may keep the stream open after its last event: a late RUN_ERROR must still be read."""
SLACK = 0.02
"""The share by which a limit may be overrun, so that the timer need not be moved at every event."""


class Limits(Struct, frozen=True, kw_only=True):
    """How long to wait. Comments never count as a sign of life."""

    connect_s: float = 10.0
    idle_s: float = 120.0
    turn_s: float = 600.0


_FIELDS = {"connect_s": "connect_timeout", "idle_s": "idle_timeout", "turn_s": "turn_timeout"}


def read_limits(spec: TargetSpec) -> Limits:
    """The limits that an agent of `viva.yaml` sets. Raises UsageError for what is no duration."""
    found: dict[str, float] = {}
    for field, name in _FIELDS.items():
        if (text := spec.config.get(name)) is not None:
            try:
                found[field] = parse_duration(str(text))
            except ValueError as error:
                raise UsageError(f"agent {spec.id!r}: {name}: {error}") from None
    return Limits(**found)


class Deadline:
    """When to give up a run: the next event is late, or the whole turn is, which begins now."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._now = asyncio.get_running_loop().time
        self._moved_at = self._now()
        self._turn_ends = self._moved_at + limits.turn_s
        self._over: bool = False

    @property
    def turn_ends(self) -> float:
        """The time of the event loop at which the turn is late."""
        return self._turn_ends

    def turn_missed(self) -> str | None:
        """Why to stop waiting, once the whole turn is late."""
        return self.missed() if self._now() >= self._turn_ends else None

    def first(self) -> float:
        """For the first event of a run that is about to be sent."""
        self._moved_at, self._over = self._now(), False
        return min(self._moved_at + self._limits.idle_s * (1 + SLACK), self._turn_ends)

    def move(self, scope: asyncio.Timeout, *, over: bool) -> None:
        """An event came: `scope` may last longer. Moving it costs more than reading, so it is not always moved."""
        now = self._now()
        patience = min(LINGER_S, self._limits.idle_s) if over else self._limits.idle_s
        if over != self._over or now - self._moved_at > patience * SLACK:
            self._moved_at, self._over = now, over
            scope.reschedule(min(now + patience * (1 + SLACK), self._turn_ends))

    def missed(self) -> str:
        """Which limit it was, as the reason of a truncated run."""
        if self._now() >= self._turn_ends:
            return f"the turn took longer than {format_duration(self._limits.turn_s)}"
        return f"nothing came for {format_duration(self._limits.idle_s)}"
