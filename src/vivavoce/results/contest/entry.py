"""One case of one contender, in the few numbers that a comparison needs."""

from msgspec import Struct

from vivavoce.model.message import Usage
from vivavoce.model.result import NOT_JUDGED, CaseResult, Status
from vivavoce.model.verdict import Fault
from vivavoce.results.row_parts import parts_in


class Tried(Struct, frozen=True, gc=False):
    """One attempt that was judged."""

    passed: bool
    duration_ms: float
    usage: Usage | None = None
    """What the agent's replies used; None when it did not say."""
    fault: Fault | None = None

    @property
    def blames_agent(self) -> bool:
        """Whether it says something about the agent: it passed, or the agent is at fault."""
        return self.passed or self.fault in (None, "agent", "target")


class Entry(Struct, frozen=True, kw_only=True, gc=False):
    """The result of one case for one contender."""

    label: str
    key: str
    """`file::id` of the case."""
    id: str
    name: str | None = None
    status: Status
    error: str | None = None
    """Why it did not pass."""
    tried: tuple[Tried, ...]
    position: int
    """Which result of the run it is, from 0."""

    @property
    def runs(self) -> int:
        return len(self.tried)

    @property
    def passed(self) -> int:
        return sum(one.passed for one in self.tried)

    @property
    def conclusive_runs(self) -> int:
        """How many runs say something about the agent: those that a judge, a hook or a simulator broke do not."""
        return sum(one.blames_agent for one in self.tried)


def entry_of(result: CaseResult, position: int) -> Entry:
    """From a result as it comes in."""
    case = result.case
    return Entry(
        label=case.agent or "",
        key=case.key,
        id=case.id,
        name=case.name,
        status=result.status,
        error=result.decisive.error,
        tried=tuple(
            Tried(one.status is Status.PASSED, one.duration_ms, one.usage, one.fault)
            for one in result.attempts
            if one.status not in NOT_JUDGED
        ),
        position=position,
    )


def entry_in(row: bytes, position: int) -> Entry:
    """From a line of the result file."""
    seen = parts_in(row)
    return Entry(
        label=seen.case.agent or "",
        key=f"{seen.file}::{seen.id}",
        id=seen.id,
        name=seen.name,
        status=seen.status,
        error=seen.decisive.error or seen.decisive.skip_reason,
        tried=tuple(
            Tried(one.status is Status.PASSED, one.duration_ms, one.usage, one.fault)
            for one in seen.attempts
            if one.status not in NOT_JUDGED
        ),
        position=position,
    )
