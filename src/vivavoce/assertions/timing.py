"""Checks on time: how long it took, how long nothing happened."""

from itertools import pairwise
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from vivavoce.assertions.tool_calls import calls_seen
from vivavoce.model.verdict import Verdict, failed, passed
from vivavoce.notation.durations import format_duration, parse_duration
from vivavoce.protocols import Evidence, Helpers, Sight

Milliseconds = Annotated[float, Meta(ge=0)]


class Latency(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The agent answered within this time: a turn's own, or that of all turns together."""

    max: str | Milliseconds
    """`2s`, or a number of milliseconds."""
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "nothing"
    doubted_by: ClassVar[Sight] = "nothing"

    def __post_init__(self) -> None:
        self._limit_ms()

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        # Only the agent's own time: neither simulator nor judge makes it slower.
        took_ms = sum(turn.duration_ms for turn in evidence.turns)
        return _within("answered", took_ms, self._limit_ms())

    def _limit_ms(self) -> float:
        return parse_duration(self.max) * 1000 if isinstance(self.max, str) else self.max


class MaxDuration(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From the first line to the last reply no more time passed than this."""

    value: Milliseconds
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "nothing"
    doubted_by: ClassVar[Sight] = "nothing"

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        return _within("lasted", evidence.ended_ms - evidence.started_ms, self.value)


class MaxGap(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """No two consecutive tool calls complete further apart than this."""

    value: Milliseconds
    judges_output: ClassVar[bool] = False
    judges: ClassVar[Sight] = "call"
    doubted_by: ClassVar[Sight] = "call"

    async def check(self, evidence: Evidence, helpers: Helpers) -> Verdict:
        calls = [seen.call for seen in calls_seen(evidence)]
        if len(calls) < 2:
            return passed("fewer than two tool calls: no gap")
        untimed = [call.name for call in calls if call.completed_ms is None]
        if untimed:
            return failed(f"no time was reported for {', '.join(untimed[:5])}", expected=self.value, negatable=False)
        ends = sorted((call.completed_ms or 0.0, call.name) for call in calls)
        gap, before, after = max(
            (later - earlier, first, second) for (earlier, first), (later, second) in pairwise(ends)
        )
        seen = f"longest gap {_shown(gap)} ({before} → {after}), allowed {_shown(self.value)}"
        return passed(seen) if gap <= self.value else failed(seen, expected=self.value, actual=round(gap, 3))


def _within(verb: str, took_ms: float, limit_ms: float) -> Verdict:
    seen = f"{verb} {_shown(took_ms)}, allowed {_shown(limit_ms)}"
    return passed(seen) if took_ms <= limit_ms else failed(seen, expected=limit_ms, actual=round(took_ms, 3))


def _shown(milliseconds: float) -> str:
    """Exact below ten seconds, where rounding would make `5001ms` and `5000ms` look alike."""
    return f"{round(milliseconds, 2):.10g}ms" if milliseconds < 10_000 else format_duration(milliseconds / 1000)
