"""Statistics beside published values."""

import pytest

from vivavoce.statistics.proportions import fisher_exact, wilson_interval


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
    assert fisher_exact(*table) == pytest.approx(p_value, rel=2e-4)


def test_equal_rates_are_no_surprise():
    assert fisher_exact(5, 10, 5, 10) == 1.0
    assert fisher_exact(0, 3, 0, 3) == 1.0
