"""Two runs side by side: what broke, what was fixed, what became slower. Pure functions."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from vivavoce.model.result import NOT_JUDGED, UNSUCCESSFUL, CaseOutcome, Status
from vivavoce.results.comparison.changes import CaseChange, Change, Comparison, Side, Thresholds
from vivavoce.statistics.proportions import fisher_exact

SIGNIFICANT = 0.05
"""A change of the pass rate counts as real when chance alone would cause it more rarely than this."""
LEAST_SLOWDOWN_MS = 100.0
"""A smaller difference is never called slower, whatever the percentage says."""


def compare(
    before: Sequence[CaseOutcome], after: Sequence[CaseOutcome], limits: Thresholds | None = None
) -> Comparison:
    """A case is the same one when file and id are; where the file was renamed, when its id is found once in each."""
    limits = limits or Thresholds()
    earlier, later = _numbered(before), _numbered(after)
    partners = _partners(earlier, later)
    changes = [_changed(partners.get(key), found, limits) for key, found in later.items()]
    taken = {partner.key for partner in partners.values()}
    gone = [_changed(found, None, limits) for key, found in earlier.items() if key not in taken]
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


def _changed(before: _Found | None, after: _Found | None, limits: Thresholds) -> CaseChange:
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
        slower=_is_slower(first, second, limits.slower_by_percent),
        chance=chance,
        **({} if first is None or second is None else _conduct(first, second, limits)),
    )


def _conduct(before: CaseOutcome, after: CaseOutcome, limits: Thresholds) -> dict[str, bool]:
    """What the agent did differently, whatever became of the case."""
    if not NOT_JUDGED.isdisjoint((before.status, after.status)):
        return {"replies_differ": before.replies_digest != after.replies_digest}
    known = (before.calls_digest, *before.calls_of_other_runs)
    return {
        "replies_differ": before.replies_digest != after.replies_digest,
        "calls_differ": after.calls_digest not in known,
        "calls_hidden": not (before.shows_calls and after.shows_calls),
        "dearer": _is_dearer(before, after, limits.dearer_by_percent),
    }


def _is_dearer(before: CaseOutcome, after: CaseOutcome, by_percent: float) -> bool:
    pairs = ((before.cost, after.cost), (before.tokens, after.tokens))
    for old, new in pairs:
        if old is not None and new is not None:
            return new > old * (1 + by_percent / 100)
    return False


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
    """Whether all attempts passed and now all fail, or the reverse. With few attempts no test could prove a change."""
    return (before.passed, after.passed) in ((before.runs, 0), (0, after.runs))


def _chance(before: CaseOutcome | None, after: CaseOutcome | None) -> float | None:
    """None where each side has one attempt: that says nothing about rates."""
    if before is None or after is None or max(before.runs, after.runs) < 2 or min(before.runs, after.runs) < 1:
        return None
    return float(fisher_exact(before.passed, before.runs, after.passed, after.runs))


def _is_slower(before: CaseOutcome | None, after: CaseOutcome | None, by_percent: float) -> bool:
    if before is None or after is None or not NOT_JUDGED.isdisjoint((before.status, after.status)):
        return False
    if before.replayed or after.replayed:
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
        tokens=outcome.tokens,
        cost=outcome.cost,
    )
