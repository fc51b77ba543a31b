"""Statistics beside published values and scipy's."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.statistics.proportions import fisher_exact, mcnemar_exact, pass_hat_k, wilson_interval


@pytest.mark.parametrize(
    ("passed", "runs", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_s_interval_has_the_values_of_newcombe_1998(passed: int, runs: int, low: float, high: float):
    """R. G. Newcombe, Two-sided confidence intervals for the single proportion, table I, method 3."""
    assert wilson_interval(passed, runs) == pytest.approx((low, high), abs=5e-5)


def test_without_a_run_any_rate_is_possible():
    assert wilson_interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("runs", [1, 2, 5, 10, 100])
def test_the_interval_holds_the_rate_and_is_the_same_from_both_sides(runs: int):
    for passed in range(runs + 1):
        low, high = wilson_interval(passed, runs)
        assert 0.0 <= low <= passed / runs + 1e-12
        assert passed / runs - 1e-12 <= high <= 1.0
        assert wilson_interval(runs - passed, runs) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize(
    ("table", "p_value"),
    [
        ((3, 4, 1, 4), 0.4857),  # Fisher's lady tasting tea
        ((2, 17, 10, 13), 0.0005367),  # Fisher's convicted twins; R's ?fisher.test prints it
        ((1, 10, 11, 14), 0.002759),  # studying men and women, in many textbooks
    ],
)
def test_fisher_s_test_has_the_published_p_values(table: tuple[int, int, int, int], p_value: float):
    assert float(fisher_exact(*table)) == pytest.approx(p_value, rel=2e-4)


def test_equal_rates_are_no_surprise():
    assert fisher_exact(5, 10, 5, 10) == 1.0
    assert fisher_exact(0, 3, 0, 3) == 1.0


@given(st.integers(1, 30), st.integers(1, 30), st.data())
def test_fisher_s_test_agrees_with_scipy(runs_before: int, runs_after: int, data: st.DataObject):
    from scipy import stats as scipy_stats  # late: its import is slow, and most tests do not need it

    before, after = data.draw(st.integers(0, runs_before)), data.draw(st.integers(0, runs_after))
    table = [[before, runs_before - before], [after, runs_after - after]]
    for ours, theirs in (("two-sided", "two-sided"), ("worse", "greater")):
        expected = scipy_stats.fisher_exact(table, alternative=theirs).pvalue
        assert float(fisher_exact(before, runs_before, after, runs_after, ours)) == pytest.approx(expected, rel=1e-6)


def test_three_of_three_and_two_of_three_are_no_surprise_and_all_to_none_is_one_in_twenty():
    assert fisher_exact(3, 3, 2, 3, "worse") == Fraction(1, 2)
    assert fisher_exact(3, 3, 0, 3, "worse") == Fraction(1, 20)  # exactly: a float might say 0.05000000000000001


@given(st.integers(0, 40), st.integers(0, 40))
def test_the_paired_test_agrees_with_scipy_s_sign_test(lost: int, won: int):
    from scipy import stats as scipy_stats  # late: its import is slow, and most tests do not need it

    if lost + won == 0:
        assert mcnemar_exact(lost, won) == mcnemar_exact(lost, won, "worse") == 1
        return
    two_sided = scipy_stats.binomtest(lost, lost + won, 0.5).pvalue
    assert float(mcnemar_exact(lost, won)) == pytest.approx(two_sided, rel=1e-9)
    worse = scipy_stats.binomtest(lost, lost + won, 0.5, alternative="greater").pvalue
    assert float(mcnemar_exact(lost, won, "worse")) == pytest.approx(worse, rel=1e-9)


@pytest.mark.parametrize(("passed", "runs", "k"), [(3, 4, 2), (8, 8, 8), (1, 4, 2), (5, 7, 1)])
def test_pass_hat_k_counts_the_draws_in_which_all_passed(passed: int, runs: int, k: int):
    draws = list(combinations([True] * passed + [False] * (runs - passed), k))
    assert pass_hat_k(passed, runs, k) == pytest.approx(sum(map(all, draws)) / len(draws))


def test_pass_hat_k_needs_k_runs():
    with pytest.raises(ValueError, match="at least 3 runs, there are 2"):
        pass_hat_k(2, 2, 3)
