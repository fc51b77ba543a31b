"""The result of comparing two runs, as data with a few questions to ask of it."""

from collections.abc import Callable
from enum import StrEnum

from msgspec import Struct

from vivavoce.model.result import NOT_JUDGED, UNSUCCESSFUL, Status

SLOWER_BY_PERCENT = 50.0
DEARER_BY_PERCENT = 20.0


class Change(StrEnum):
    """What became of a case; the first that fits."""

    NEW_FAILURE = "new_failure"
    FIXED = "fixed"
    WITHIN_CHANCE = "within_chance"
    """It passes now, but its attempts differ no more than chance explains."""
    LESS_STEADY = "less_steady"
    """It ends as before, but its pass rate fell by more than chance explains."""
    STEADIER = "steadier"
    STILL_FAILING = "still_failing"
    NO_LONGER_JUDGED = "no_longer_judged"
    """It is skipped now, so nothing can be said about it."""
    ADDED = "added"
    REMOVED = "removed"
    SAME = "same"


class Side(Struct, frozen=True, kw_only=True):
    """A case in one of the two runs."""

    position: int
    """Where in its run it stands."""
    status: Status
    duration_ms: float
    runs: int
    passed: int
    tokens: float | None = None
    cost: float | None = None
    """What one run used on average."""


class Thresholds(Struct, frozen=True, kw_only=True):
    """From how many percent on a case is called slower or dearer."""

    slower_by_percent: float = SLOWER_BY_PERCENT
    dearer_by_percent: float = DEARER_BY_PERCENT


class CaseChange(Struct, frozen=True, kw_only=True):
    key: str
    id: str
    name: str | None
    change: Change
    before: Side | None
    after: Side | None
    slower: bool = False
    dearer: bool = False
    """Its cost rose; its tokens, where a cost is missing."""
    replies_differ: bool = False
    calls_differ: bool = False
    """It called other tools, or with other arguments, or in another order, than any run before."""
    calls_hidden: bool = False
    """Nobody can tell which tools one of the two sides called."""
    chance: float | None = None
    """The probability of such a change of the pass rate by chance (Fisher's exact test), for cases with several
    runs."""


class Comparison(Struct, frozen=True, kw_only=True):
    """Every case of both runs, in the order of the later one; what only the earlier one has comes last."""

    changes: tuple[CaseChange, ...]

    def of(self, change: Change) -> list[CaseChange]:
        return [case for case in self.changes if case.change is change]

    @property
    def regressions(self) -> list[CaseChange]:
        """What worked before and does not now."""
        return [case for case in self.changes if case.change in (Change.NEW_FAILURE, Change.LESS_STEADY)]

    @property
    def lost(self) -> list[CaseChange]:
        """What was judged before and is not now: gone, or skipped."""
        return [
            case
            for case in self.changes
            if case.change in (Change.NO_LONGER_JUDGED, Change.REMOVED)
            and case.before is not None
            and case.before.status not in NOT_JUDGED
        ]

    @property
    def new_and_failing(self) -> list[CaseChange]:
        """Cases that only the later run has and that do not pass."""
        return [
            case
            for case in self.changes
            if case.change is Change.ADDED and case.after is not None and case.after.status in UNSUCCESSFUL
        ]

    @property
    def slower(self) -> list[CaseChange]:
        return [case for case in self.changes if case.slower]

    @property
    def dearer(self) -> list[CaseChange]:
        return [case for case in self.changes if case.dearer]

    @property
    def other_calls(self) -> list[CaseChange]:
        return [case for case in self.changes if case.calls_differ]

    def totals(self, amount: Callable[[Side], float | None]) -> tuple[float, float, int]:
        """An amount before and after, over the cases of which both sides know it, and how many those are."""
        known = [
            (old, new)
            for case in self.changes
            if case.before is not None and case.after is not None
            if (old := amount(case.before)) is not None and (new := amount(case.after)) is not None
        ]
        return sum(old for old, _ in known), sum(new for _, new in known), len(known)

    def counts(self) -> dict[str, int]:
        found = {change.value: 0 for change in Change}
        for case in self.changes:
            found[case.change.value] += 1
        return found | {
            "slower": len(self.slower),
            "dearer": len(self.dearer),
            "replies_differ": sum(case.replies_differ for case in self.changes),
            "calls_differ": len(self.other_calls),
            "calls_hidden": sum(case.calls_hidden for case in self.changes),
        }
