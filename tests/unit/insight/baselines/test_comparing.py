"""A run against a baseline: what counts as a regression and what does not."""

import pytest

from vivavoce.insight.baselines.baseline import Baseline, BaselineCase
from vivavoce.insight.baselines.comparing import Comparison, Standing, compare, is_flip
from vivavoce.insight.baselines.unseen import unseen_in


def case(passed: int, runs: int, number: int = 0, *, content: str = "same", agent: str = "shop") -> BaselineCase:
    key = f"a.jsonl::T{number}"
    return BaselineCase(key=key, id=f"T{number}", agent=agent, case_hash=content, runs=runs, passed=passed)


def against(before: BaselineCase, after: BaselineCase, **more: object) -> Comparison:
    return compare(Baseline(name="main", cases=(before,)), [after], **more)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("runs", [3, 5, 30])
def test_all_passed_before_and_none_now_is_always_a_regression(runs: int):
    found = against(case(runs, runs), case(0, 3))
    assert found.cases[0].standing is Standing.REGRESSION
    assert found.regressed


def test_three_of_three_to_two_of_three_is_none_by_itself():
    assert not against(case(3, 3), case(2, 3)).regressed


def test_many_small_drops_together_are_one_of_the_suite():
    before = Baseline(name="main", cases=tuple(case(3, 3, n) for n in range(12)))
    found = compare(before, [case(2, 3, n) for n in range(12)])
    assert found.of(Standing.REGRESSION) == []
    assert found.suite_regressed


def test_a_single_run_that_flipped_counts_once_confirmed():
    before, after = case(1, 1), case(0, 1)
    key = (after.key, after.agent)
    assert is_flip(before, after)
    assert against(before, after).cases[0].standing is Standing.UNCONFIRMED
    assert against(before, after, confirm=False).cases[0].standing is Standing.REGRESSION
    assert against(before, after, confirmations={key: case(0, 5)}).cases[0].standing is Standing.REGRESSION
    assert against(before, after, confirmations={key: case(2, 5)}).cases[0].standing is Standing.UNCONFIRMED
    assert against(before, after, confirm=False, flaky={key}).cases[0].standing is Standing.FLAKY


def test_a_short_baseline_hides_no_case_that_always_fails_now():
    assert against(case(1, 1), case(0, 5)).cases[0].standing is Standing.REGRESSION
    few = case(0, 3)
    assert is_flip(case(1, 1), few)
    assert not is_flip(case(3, 3), few)
    assert against(case(1, 1), few).cases[0].standing is Standing.UNCONFIRMED
    again = {(few.key, few.agent): case(0, 7)}
    assert against(case(1, 1), few, confirmations=again).cases[0].standing is Standing.REGRESSION


def test_what_cannot_be_compared_is_said():
    assert against(case(3, 3), case(0, 3, 1)).cases[0].standing is Standing.NEW
    assert against(case(3, 3), case(0, 3, content="new")).cases[0].standing is Standing.CHANGED
    assert against(case(3, 3), case(0, 0)).cases[0].standing is Standing.UNJUDGED


def test_another_agent_is_compared_when_the_baseline_has_the_case_once():
    assert against(case(3, 3), case(0, 3, agent="new")).regressed


def test_what_goes_unnoticed_is_computed_from_the_real_counts():
    unseen = unseen_in(against(case(3, 3), case(3, 3)))
    assert unseen is not None
    assert (unseen.runs_before, unseen.runs_after) == (3, 3)
    assert unseen.missed == pytest.approx(1 - 0.4**3)
    assert unseen.runs_each is not None
    assert unseen.runs_after_large_baseline is not None
    assert unseen.runs_after_large_baseline < unseen.runs_each
