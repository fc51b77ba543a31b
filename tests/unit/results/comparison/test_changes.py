from vivavoce.model.result import Status
from vivavoce.results.comparison.changes import CaseChange, Change, Comparison, Side


def change(what: Change, before: Side | None, after: Side | None) -> CaseChange:
    return CaseChange(key="a", id="a", name=None, change=what, before=before, after=after)


def side(status: Status = Status.PASSED, tokens: float | None = None) -> Side:
    return Side(position=0, status=status, duration_ms=1, runs=1, passed=1, tokens=tokens)


def test_what_is_lost_was_judged_before():
    gone = change(Change.REMOVED, side(), None)
    never = change(Change.REMOVED, side(Status.SKIPPED), None)
    assert Comparison(changes=(gone, never)).lost == [gone]


def test_only_added_cases_that_fail_are_new_and_failing():
    bad, good = change(Change.ADDED, None, side(Status.ERROR)), change(Change.ADDED, None, side())
    assert Comparison(changes=(bad, good)).new_and_failing == [bad]


def test_totals_leave_out_what_one_side_does_not_know():
    both, one = change(Change.SAME, side(tokens=5), side(tokens=7)), change(Change.SAME, side(tokens=5), side())
    assert Comparison(changes=(both, one)).totals(lambda side: side.tokens) == (5, 7, 1)
