"""What became of a case between two runs, in words."""

from vivavoce.notation.durations import format_ms
from vivavoce.results.comparison.changes import CaseChange, Change, Side

TITLES = {
    Change.NEW_FAILURE: "New failures",
    Change.LESS_STEADY: "Less steady: the pass rate fell by more than chance explains",
    Change.WITHIN_CHANCE: "Passed this time: no more than chance explains",
    Change.FIXED: "Fixed",
    Change.STEADIER: "Steadier",
    Change.STILL_FAILING: "Still failing",
    Change.NO_LONGER_JUDGED: "No longer judged",
    Change.ADDED: "Added",
    Change.REMOVED: "Not in the later run",
}


def how(case: CaseChange) -> str:
    """`passed → failed (10/10 → 7/10 runs passed; by chance alone: 21 %)`"""
    before, after, words = case.before, case.after, statuses(case)
    if before is None or after is None or case.chance is None:
        return words
    if _rate(before) == _rate(after):
        return f"{words} ({_rate(after)} runs passed in both)"
    return f"{words} ({_rate(before)} → {_rate(after)} runs passed; by chance alone: {_percent(case.chance)})"


def statuses(case: CaseChange) -> str:
    """`passed → failed`"""
    before, after = case.before, case.after
    if before is None or after is None:
        side = before or after
        return "" if side is None else side.status.value
    return before.status.value if before.status is after.status else f"{before.status.value} → {after.status.value}"


def time_words(case: CaseChange) -> str:
    """`1s → 3s (+200 %)`"""
    assert case.before is not None
    assert case.after is not None
    longer = 100 * (case.after.duration_ms / case.before.duration_ms - 1) if case.before.duration_ms else 0
    share = f" (+{longer:.0f} %)" if longer else ""
    return f"{_time(case.before)} → {_time(case.after)}{share}"


def _rate(side: Side) -> str:
    return f"{side.passed}/{side.runs}"


def _percent(share: float) -> str:
    return "under 1 %" if share < 0.01 else f"{100 * share:.0f} %"


def _time(side: Side) -> str:
    return format_ms(side.duration_ms)
