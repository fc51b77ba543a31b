"""What comparing two runs must say, and what it must not."""

import pytest
from msgspec import structs

from vivavoce.model.result import CaseOutcome, Status
from vivavoce.results.comparison.changes import Change, Thresholds
from vivavoce.results.comparison.compare import compare

PASSED, FAILED, SKIPPED = Status.PASSED, Status.FAILED, Status.SKIPPED


def case(
    case_id: str = "a",
    status: Status = PASSED,
    *,
    file: str = "cases.jsonl",
    ms: float = 100.0,
    runs: int = 1,
    passed: int | None = None,
    said: str = "hello",
) -> CaseOutcome:
    if passed is None:
        passed = runs if status is PASSED else 0
    return CaseOutcome(f"{file}::{case_id}", case_id, None, status, ms, runs, passed, said)


def only(before: CaseOutcome, after: CaseOutcome):
    (change,) = compare([before], [after]).changes
    return change


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (PASSED, FAILED, Change.NEW_FAILURE),
        (PASSED, Status.TIMEOUT, Change.NEW_FAILURE),
        (SKIPPED, Status.ERROR, Change.NEW_FAILURE),
        (FAILED, PASSED, Change.FIXED),
        (Status.ERROR, FAILED, Change.STILL_FAILING),
        (FAILED, SKIPPED, Change.NO_LONGER_JUDGED),
        (PASSED, SKIPPED, Change.NO_LONGER_JUDGED),
        (SKIPPED, SKIPPED, Change.SAME),
        (SKIPPED, PASSED, Change.SAME),
        (PASSED, PASSED, Change.SAME),
    ],
)
def test_what_became_of_a_case(before: Status, after: Status, change: Change):
    assert only(case(status=before), case(status=after)).change is change


def test_what_is_in_one_run_only_is_added_or_removed_and_no_regression():
    found = compare([case("a"), case("old")], [case("a"), case("new", FAILED)])
    assert [(c.id, c.change) for c in found.changes] == [
        ("a", Change.SAME),
        ("new", Change.ADDED),
        ("old", Change.REMOVED),
    ]
    assert found.regressions == []
    assert [c.id for c in found.lost] == ["old"]


def test_what_nobody_had_judged_cannot_be_lost():
    before = [case("gone", SKIPPED), case("skips", SKIPPED), case("passes"), case("fails", FAILED)]
    after = [case("skips", SKIPPED), case("passes", SKIPPED), case("fails", SKIPPED)]
    assert [c.id for c in compare(before, after).lost] == ["passes", "fails"]


def test_a_renamed_file_does_not_hide_a_regression():
    change = only(case(file="old.jsonl"), case(status=FAILED, file="new.jsonl"))
    assert change.change is Change.NEW_FAILURE


def test_an_id_that_several_files_use_is_not_guessed_at():
    before = [case(file="one.jsonl"), case(file="two.jsonl")]
    found = compare(before, [case(file="three.jsonl", status=FAILED)])
    assert [c.change for c in found.changes] == [Change.ADDED, Change.REMOVED, Change.REMOVED]


def test_cases_with_one_key_are_told_apart_by_their_place():
    found = compare([case(), case(status=FAILED)], [case(), case(status=PASSED)])
    assert [c.change for c in found.changes] == [Change.SAME, Change.FIXED]


@pytest.mark.parametrize(
    ("before", "after", "slower"), [(1000, 1600, True), (1000, 1400, False), (10, 90, False), (10, 120, True)]
)
def test_slower_is_a_share_and_a_time_one_would_notice(before: float, after: float, slower: bool):
    assert only(case(ms=before), case(ms=after)).slower is slower


def test_a_skipped_case_is_never_slower():
    assert not only(case(ms=10), case(ms=9000, status=SKIPPED)).slower


def test_replies_are_compared_by_their_fingerprint():
    assert only(case(said="x"), case(said="y")).replies_differ
    assert not only(case(said="x"), case(said="x")).replies_differ


def test_a_pass_rate_that_falls_beyond_chance_is_a_regression_though_the_status_is_the_same():
    found = compare([case(status=PASSED, runs=20, passed=20)], [case(status=PASSED, runs=20, passed=12)])
    assert [c.change for c in found.regressions] == [Change.LESS_STEADY]
    assert found.changes[0].chance == pytest.approx(0.0033, abs=1e-4)


def test_a_pass_rate_within_chance_is_no_news():
    change = only(case(status=FAILED, runs=10, passed=8), case(status=FAILED, runs=10, passed=6))
    assert change.change is Change.STILL_FAILING
    assert change.chance is not None
    assert change.chance > 0.05


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ((10, 10), (9, 10), Change.NEW_FAILURE),
        ((9, 10), (10, 10), Change.WITHIN_CHANCE),
        ((10, 10), (4, 10), Change.NEW_FAILURE),
        ((4, 10), (10, 10), Change.FIXED),
        ((3, 3), (0, 3), Change.NEW_FAILURE),
        ((1, 1), (0, 3), Change.NEW_FAILURE),
        ((0, 2), (2, 2), Change.FIXED),
    ],
)
def test_of_several_runs_a_failure_is_always_news_and_a_pass_when_it_is_no_chance_or_complete(
    before: tuple[int, int], after: tuple[int, int], change: Change
):
    def ran(passed: int, runs: int) -> CaseOutcome:
        return case(status=PASSED if passed == runs else FAILED, runs=runs, passed=passed)

    found = compare([ran(*before)], [ran(*after)])
    assert found.changes[0].change is change
    assert bool(found.regressions) is (change is Change.NEW_FAILURE)


def test_single_runs_say_nothing_about_rates():
    assert only(case(), case(status=FAILED)).chance is None


def test_counts_add_up():
    found = compare(
        [case("a"), case("b", FAILED), case("c")], [case("a", FAILED), case("b", said="new"), case("d", ms=5)]
    )
    counts = found.counts()
    assert {k: v for k, v in counts.items() if v} == {
        "new_failure": 1, "fixed": 1, "added": 1, "removed": 1, "replies_differ": 1,
    }  # fmt: skip


def test_calls_that_some_run_made_before_are_no_news():
    before = structs.replace(case(runs=3), calls_digest="x", calls_of_other_runs=("x", "y"))
    assert not only(before, structs.replace(case(), calls_digest="y")).calls_differ
    assert only(before, structs.replace(case(), calls_digest="z")).calls_differ


def test_hidden_calls_are_marked_and_skipped_cases_say_nothing_of_calls():
    before, after = case(), structs.replace(case(), shows_calls=False)
    assert (only(before, after).calls_differ, only(before, after).calls_hidden) == (False, True)
    skipped = only(structs.replace(case(), calls_digest="x"), case(status=SKIPPED))
    assert not skipped.calls_differ


def test_totals_count_the_cases_that_both_sides_know():
    before = [structs.replace(case("a"), tokens=100.0), structs.replace(case("b"), tokens=50.0), case("c")]
    after = [structs.replace(case("a"), tokens=120.0), case("b"), structs.replace(case("c"), tokens=7.0)]
    assert compare(before, after).totals(lambda side: side.tokens) == (100.0, 120.0, 1)


def test_thresholds_are_the_callers():
    before, after = structs.replace(case(ms=1000), cost=0.1), structs.replace(case(ms=1600), cost=0.13)
    (change,) = compare([before], [after], Thresholds(slower_by_percent=70, dearer_by_percent=20)).changes
    assert (change.slower, change.dearer) == (False, True)
