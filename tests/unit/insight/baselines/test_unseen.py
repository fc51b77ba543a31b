"""What a comparison could not have seen."""

from fractions import Fraction

import pytest

from vivavoce.insight.baselines.baseline import Baseline, BaselineCase
from vivavoce.insight.baselines.comparing import CONFIRMING_RUNS, compare
from vivavoce.insight.baselines.unseen import ENOUGH, case_power, unseen_in

LIMIT = Fraction(1, 40)


def case(passed: int, runs: int, number: int = 0) -> BaselineCase:
    return BaselineCase(key=f"a::T{number}", id=f"T{number}", agent="", case_hash="h", runs=runs, passed=passed)


def test_a_single_failure_counts_only_when_all_further_runs_fail():
    failing = 0.4
    assert case_power(1, 1, 1.0, 0.6, LIMIT) == pytest.approx(failing * failing**CONFIRMING_RUNS)
    assert case_power(1, 1, 1.0, 0.6, LIMIT, confirm=False) == pytest.approx(failing)


def test_more_runs_see_more():
    powers = [case_power(runs, runs, 1.0, 0.6, LIMIT) for runs in (3, 10, 20, 40)]
    assert powers == sorted(powers)
    assert powers[0] < 0.1
    assert powers[-1] > ENOUGH


def test_no_drop_is_hardly_ever_called_one():
    assert case_power(20, 20, 0.9, 0.9, LIMIT) <= float(LIMIT)


def test_the_proposed_runs_are_enough_and_one_less_is_not():
    found = compare(Baseline(name="main", cases=(case(5, 5),)), [case(5, 5)])
    unseen = unseen_in(found)
    assert unseen is not None
    assert (unseen.runs_before, unseen.runs_after) == (5, 5)
    assert unseen.runs_each is not None
    limit = found.case_limit
    assert case_power(unseen.runs_each, unseen.runs_each, 1.0, 0.6, limit) >= ENOUGH
    assert case_power(unseen.runs_each - 1, unseen.runs_each - 1, 1.0, 0.6, limit) < ENOUGH


def test_the_most_common_counts_are_talked_about():
    before = Baseline(name="main", cases=tuple(case(3, 3, n) for n in range(3)))
    found = compare(before, [case(3, 3, 0), case(2, 2, 1), case(2, 2, 2)])
    unseen = unseen_in(found)
    assert unseen is not None
    assert (unseen.runs_before, unseen.runs_after) == (3, 2)


def test_nothing_compared_nothing_said():
    assert unseen_in(compare(Baseline(name="main"), [case(1, 1)])) is None
