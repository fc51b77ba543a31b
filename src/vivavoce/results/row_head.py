"""A result's line at a glance: the little that lists and comparisons need, read without the rest of it.

Nothing of this is kept anywhere: to read it from a row costs a few microseconds, to keep it beside each row cost more.
"""

from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import text_of
from vivavoce.model.result import CaseOutcome, Fault, Status
from vivavoce.wording.terminal_text import clip, quoted

SHOWN_CHARS = 300
"""More than a table cell can show; the row has it all."""


class _Call(Struct, frozen=True, gc=False):
    name: str


class _Turn(Struct, frozen=True):
    output: Any = None
    tool_calls: tuple[_Call, ...] = ()


class _Once(Struct, frozen=True):
    """The fields of wire.RunRow that are looked at; a row of one run has them too."""

    status: Status
    duration_ms: float = 0.0
    fault: Fault | None = None
    error: str | None = None
    skip_reason: str | None = None
    total_turns: int = 0
    output: Any = None
    tool_calls: tuple[_Call, ...] = ()
    turns: tuple[_Turn, ...] | None = None

    def taken(self) -> tuple[_Turn, ...]:
        """Its turns; a turn that was skipped stands in the row, but was never taken."""
        if self.turns is None:
            return (_Turn(self.output, self.tool_calls),) if self.total_turns else ()
        return self.turns[: self.total_turns]


class _Row(_Once, frozen=True, kw_only=True):
    """The same of wire.ResultRow."""

    id: str
    input: Any = None
    name: str | None = None
    tags: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    run_details: tuple[_Once, ...] = ()
    avg_duration_ms: float | None = None
    pass_rate: float | None = None
    stability_class: str | None = None

    @property
    def runs(self) -> tuple[_Once, ...]:
        return self.run_details or (self,)

    @property
    def decisive(self) -> _Once:
        """As CaseResult.decisive."""
        return next((run for run in self.runs if run.status is self.status), self.runs[0])

    @property
    def typical_ms(self) -> float:
        return self.decisive.duration_ms if self.avg_duration_ms is None else round(self.avg_duration_ms, 3)


_decode = msgspec.json.Decoder(_Row).decode


def head_in(row: bytes) -> dict[str, Any]:
    """What the case list shows, sorts and filters by; absent fields are empty."""
    seen = _decode(row)
    decisive = seen.decisive
    head: dict[str, Any] = {
        "id": seen.id,
        "name": _shown(seen.name) or _said_first(seen),
        "status": seen.status.value,
        "duration_ms": seen.typical_ms,
        "turns": decisive.total_turns,
        "fault": decisive.fault,
        "error": _shown(decisive.error or decisive.skip_reason),
        "tags": seen.tags,
        "tools": sorted(set(_tools_of(seen))),
        "file": seen.file,
        "line": seen.line,
    }
    if seen.stability_class is not None:
        head["runs"] = [run.status.value for run in seen.runs]
        head["pass_rate"] = seen.pass_rate
        head["stability_class"] = seen.stability_class
    return {name: value for name, value in head.items() if value or value == 0}


def outcome_in(row: bytes) -> CaseOutcome:
    """What comparing two runs needs to know."""
    seen = _decode(row)
    judged = [run.status for run in seen.runs if run.status is not Status.SKIPPED]
    said = "\x1e".join([text_of(turn.output) for turn in seen.decisive.taken()])
    return CaseOutcome(
        key=f"{seen.file}::{seen.id}",
        id=seen.id,
        name=seen.name,
        status=seen.status,
        duration_ms=seen.typical_ms,
        runs=len(judged),
        passed=judged.count(Status.PASSED),
        said=blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
    )


def _tools_of(seen: _Row) -> Iterator[str]:
    return (call.name for run in seen.runs for turn in run.taken() for call in turn.tool_calls)


def _said_first(seen: _Row) -> str | None:
    """A case without a name is known by what it says, as on the console."""
    return quoted(clip(seen.input, 60)) if isinstance(seen.input, str) and seen.input else None


def _shown(text: str | None) -> str | None:
    return text if text is None or len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
