"""The parts of a result's line that lists and comparisons need, decoded without the rest of it.

Nothing of this is stored: reading it from a line costs a few microseconds, storing it beside each line cost more.
"""

import msgspec
from msgspec import Raw, Struct

from vivavoce.model.json_value import JsonValue
from vivavoce.model.message import Unread, Usage
from vivavoce.model.result import Quarantine, Status
from vivavoce.model.verdict import Fault

_NO_ARGUMENTS = Raw(b"null")


class CallPart(Struct, frozen=True, gc=False):
    name: str
    args: Raw = _NO_ARGUMENTS
    """As they stand in the line: decoded only where they are looked at."""
    error: str | None = None


class TurnPart(Struct, frozen=True, gc=False):
    output: JsonValue = None
    tool_calls: tuple[CallPart, ...] = ()
    shows_calls: bool = True
    unread: tuple[Unread, ...] = ()


class AttemptPart(Struct, frozen=True, gc=False):
    """The fields of wire.RepeatRow that are looked at; the row of a case that ran once has them too."""

    status: Status
    duration_ms: float = 0.0
    fault: Fault | None = None
    error: str | None = None
    skip_reason: str | None = None
    total_turns: int = 0
    output: JsonValue = None
    tool_calls: tuple[CallPart, ...] = ()
    shows_calls: bool = True
    unread: tuple[Unread, ...] = ()
    turns: tuple[TurnPart, ...] | None = None
    usage: Usage | None = None
    replayed: bool = False

    def taken(self) -> tuple[TurnPart, ...]:
        """Its turns, without the placeholder for a turn that was not said."""
        if self.turns is None:
            flat = TurnPart(self.output, self.tool_calls, self.shows_calls, self.unread)
            return (flat,) if self.total_turns else ()
        return self.turns[: self.total_turns]


class CasePart(Struct, frozen=True, gc=False):
    """The same of wire.CaseRest."""

    agent: str | None = None


class RowParts(AttemptPart, frozen=True, kw_only=True, gc=False):
    """The same of wire.ResultRow."""

    id: str
    input: JsonValue = None
    name: str | None = None
    quarantine: Quarantine | None = None
    tags: tuple[str, ...] = ()
    file: str = ""
    line: int = 0
    case: CasePart = CasePart()
    run_details: tuple[AttemptPart, ...] = ()
    avg_duration_ms: float | None = None
    pass_rate: float | None = None
    stability_class: str | None = None

    @property
    def attempts(self) -> tuple[AttemptPart, ...]:
        return self.run_details or (self,)

    @property
    def decisive(self) -> AttemptPart:
        """As CaseResult.decisive."""
        if not self.run_details:
            return self
        return next((attempt for attempt in self.run_details if attempt.status is self.status), self.run_details[0])

    def typical_ms(self, decisive: AttemptPart) -> float:
        return decisive.duration_ms if self.avg_duration_ms is None else round(self.avg_duration_ms, 3)


parts_in = msgspec.json.Decoder(RowParts).decode
"""A result's line → its parts."""
