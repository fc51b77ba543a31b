"""Two runs side by side: what broke, what was fixed, what became slower. Pure functions."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from msgspec import Struct

from vivavoce.model.result import NOT_JUDGED, UNSUCCESSFUL, CaseOutcome, Status
from vivavoce.statistics.proportions import fisher_exact

SIGNIFICANT = 0.05
"""A change of the pass rate counts as real when chance alone would cause it more rarely than this."""
LEAST_SLOWDOWN_MS = 100.0
"""A smaller difference is never called slower, whatever the percentage says."""


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


class CaseChange(Struct, frozen=True, kw_only=True):
    key: str
    id: str
    name: str | None
    change: Change
    before: Side | None
    after: Side | None
    slower: bool = False
    replies_differ: bool = False
    chance: float | None = None
    """How probable so large a change of the pass rate is by chance alone (Fisher's exact test); with several runs."""


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

    def counts(self) -> dict[str, int]:
        found = {change.value: 0 for change in Change}
        for case in self.changes:
            found[case.change.value] += 1
        return found | {
            "slower": len(self.slower),
            "replies_differ": sum(case.replies_differ for case in self.changes),
        }


def compare(before: Sequence[CaseOutcome], after: Sequence[CaseOutcome], *, slower_by_percent: float) -> Comparison:
    """A case is the same one when file and id are; where the file was renamed, when its id is found once in each."""
    earlier, later = _numbered(before), _numbered(after)
    partners = _partners(earlier, later)
    changes = [_changed(partners.get(key), found, slower_by_percent) for key, found in later.items()]
    taken = {partner.key for partner in partners.values()}
    gone = [_changed(found, None, slower_by_percent) for key, found in earlier.items() if key not in taken]
    return Comparison(changes=(*changes, *gone))


class _Found(Struct, frozen=True):
    key: str
    position: int
    outcome: CaseOutcome


def _numbered(outcomes: Iterable[CaseOutcome]) -> dict[str, _Found]:
    """By key; a key that comes again gets a number, so that no case is lost."""
    found: dict[str, _Found] = {}
    for position, outcome in enumerate(outcomes):
        key, again = outcome.key, 2
        while key in found:
            key, again = f"{outcome.key}#{again}", again + 1
        found[key] = _Found(key, position, outcome)
    return found


def _partners(earlier: dict[str, _Found], later: dict[str, _Found]) -> dict[str, _Found]:
    """For each key of the later run the same case of the earlier one."""
    partners = {key: earlier[key] for key in later if key in earlier}
    lonely_before = _by_id([found for key, found in earlier.items() if key not in partners])
    lonely_after = _by_id([found for key, found in later.items() if key not in partners])
    for case_id, found in lonely_after.items():
        same = lonely_before.get(case_id, [])
        if len(found) == len(same) == 1:
            partners[found[0].key] = same[0]
    return partners


def _by_id(cases: Iterable[_Found]) -> dict[str, list[_Found]]:
    found: dict[str, list[_Found]] = {}
    for case in cases:
        found.setdefault(case.outcome.id, []).append(case)
    return found


def _changed(before: _Found | None, after: _Found | None, slower_by_percent: float) -> CaseChange:
    case = after or before
    assert case is not None
    first, second = before and before.outcome, after and after.outcome
    chance = _chance(first, second)
    return CaseChange(
        key=case.key,
        id=case.outcome.id,
        name=case.outcome.name,
        change=_kind(first, second, chance),
        before=before and _side(before),
        after=after and _side(after),
        slower=_is_slower(first, second, slower_by_percent),
        replies_differ=first is not None and second is not None and first.replies_digest != second.replies_digest,
        chance=chance,
    )


def _kind(before: CaseOutcome | None, after: CaseOutcome | None, chance: float | None) -> Change:
    if before is None:
        return Change.ADDED
    if after is None:
        return Change.REMOVED
    if after.status in NOT_JUDGED:
        return Change.SAME if before.status in NOT_JUDGED else Change.NO_LONGER_JUDGED
    if after.status in UNSUCCESSFUL and before.status not in UNSUCCESSFUL:
        # Even if it may be chance: in doubt it is a failure.
        return Change.NEW_FAILURE
    if after.status is Status.PASSED and before.status in UNSUCCESSFUL:
        is_chance = chance is not None and chance >= SIGNIFICANT and not _is_reversed(before, after)
        return Change.WITHIN_CHANCE if is_chance else Change.FIXED
    if chance is not None and chance < SIGNIFICANT:
        rose = after.passed * before.runs > before.passed * after.runs
        return Change.STEADIER if rose else Change.LESS_STEADY
    return Change.STILL_FAILING if after.status in UNSUCCESSFUL else Change.SAME


def _is_reversed(before: CaseOutcome, after: CaseOutcome) -> bool:
    """Whether all attempts went one way and now all go the other. Of few attempts the test could never be sure."""
    return (before.passed, after.passed) in ((before.runs, 0), (0, after.runs))


def _chance(before: CaseOutcome | None, after: CaseOutcome | None) -> float | None:
    """None where no attempt was repeated: one against one says nothing about rates."""
    if before is None or after is None or max(before.runs, after.runs) < 2 or min(before.runs, after.runs) < 1:
        return None
    return float(fisher_exact(before.passed, before.runs, after.passed, after.runs))


def _is_slower(before: CaseOutcome | None, after: CaseOutcome | None, by_percent: float) -> bool:
    if before is None or after is None or not NOT_JUDGED.isdisjoint((before.status, after.status)):
        return False
    longer = after.duration_ms - before.duration_ms
    return longer >= LEAST_SLOWDOWN_MS and longer > before.duration_ms * by_percent / 100


def _side(found: _Found) -> Side:
    outcome = found.outcome
    return Side(
        position=found.position,
        status=outcome.status,
        duration_ms=outcome.duration_ms,
        runs=outcome.runs,
        passed=outcome.passed,
    )
