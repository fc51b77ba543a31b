"""The part of a result's line that lists and comparisons need, read without the rest of it.

Nothing of this is stored: reading it from a line costs a few microseconds, storing it beside each line cost more.
"""

from hashlib import blake2b

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue, text_of
from vivavoce.model.result import NOT_JUDGED, CaseOutcome, Status
from vivavoce.model.verdict import Fault
from vivavoce.wording.terminal_text import clip, quoted

SHOWN_CHARS = 300
"""More than a table cell can show; the row has it all."""


class _Call(Struct, frozen=True, gc=False):
    name: str


class _Turn(Struct, frozen=True, gc=False):
    output: JsonValue = None
    tool_calls: tuple[_Call, ...] = ()


class _Attempt(Struct, frozen=True, gc=False):
    """The fields of wire.RepeatRow that are looked at; the row of a case that ran once has them too."""

    status: Status
    duration_ms: float = 0.0
    fault: Fault | None = None
    error: str | None = None
    skip_reason: str | None = None
    total_turns: int = 0
    output: JsonValue = None
    tool_calls: tuple[_Call, ...] = ()
    turns: tuple[_Turn, ...] | None = None

    def taken(self) -> tuple[_Turn, ...]:
        """Its turns, without the one that stands in the row for a line nobody said."""
        if self.turns is None:
            return (_Turn(self.output, self.tool_calls),) if self.total_turns else ()
        return self.turns[: self.total_turns]


class _Row(_Attempt, frozen=True, kw_only=True, gc=False):
    """The same of wire.ResultRow."""

    id: str
    input: JsonValue = None
    name: str | None = None
    tags: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    run_details: tuple[_Attempt, ...] = ()
    avg_duration_ms: float | None = None
    pass_rate: float | None = None
    stability_class: str | None = None

    @property
    def attempts(self) -> tuple[_Attempt, ...]:
        return self.run_details or (self,)

    @property
    def decisive(self) -> _Attempt:
        """As CaseResult.decisive."""
        if not self.run_details:
            return self
        return next((attempt for attempt in self.run_details if attempt.status is self.status), self.run_details[0])

    def typical_ms(self, decisive: _Attempt) -> float:
        return decisive.duration_ms if self.avg_duration_ms is None else round(self.avg_duration_ms, 3)


_decode = msgspec.json.Decoder(_Row).decode


def head_in(row: bytes) -> JsonObject:
    """What the case list shows, sorts and filters by; empty fields are left out."""
    seen = _decode(row)
    decisive = seen.decisive
    head: JsonObject = {
        "id": seen.id,
        "name": _shown(seen.name) or _first_words(seen.input),
        "status": seen.status,
        "duration_ms": seen.typical_ms(decisive),
        "turns": decisive.total_turns,
        "fault": decisive.fault,
        "error": _shown(decisive.error or decisive.skip_reason),
        "tags": seen.tags,
        "tools": sorted(_tools_of(seen)),
        "file": seen.file,
        "line": seen.line,
    }
    if seen.stability_class is not None:
        head["runs"] = [attempt.status for attempt in seen.attempts]
        head["pass_rate"] = seen.pass_rate
        head["stability_class"] = seen.stability_class
    return {name: value for name, value in head.items() if value or value == 0}


def outcome_in(row: bytes) -> CaseOutcome:
    """What comparing two runs needs to know."""
    seen = _decode(row)
    decisive = seen.decisive
    judged = [attempt.status for attempt in seen.attempts if attempt.status not in NOT_JUDGED]
    replies = "\x1e".join([text_of(turn.output) for turn in decisive.taken()])
    return CaseOutcome(
        key=f"{seen.file}::{seen.id}",
        id=seen.id,
        name=seen.name,
        status=seen.status,
        duration_ms=seen.typical_ms(decisive),
        runs=len(judged),
        passed=judged.count(Status.PASSED),
        replies_digest=blake2b(replies.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(),
    )


def _tools_of(seen: _Row) -> set[str]:
    if seen.turns is None and not seen.run_details:
        return {call.name for call in seen.tool_calls}
    return {call.name for attempt in seen.attempts for turn in attempt.taken() for call in turn.tool_calls}


def _first_words(said: JsonValue) -> str | None:
    """A case without a name is known by what it says, as on the console."""
    return quoted(clip(said, 60)) if isinstance(said, str) and said else None


def _shown(text: str | None) -> str | None:
    return text if text is None or len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}…"
