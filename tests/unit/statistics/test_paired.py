"""Paired measurements: beside enumeration, published values and scipy's."""

import math
from fractions import Fraction
from itertools import product
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vivavoce.statistics.paired import hodges_lehmann, permutation_test

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
"""Darwin's maize, crossed minus selfed plants, in eighths of an inch. Fisher (1935) enumerated the 2**15 signs."""


def test_darwin_s_maize_has_the_p_value_fisher_found():
    assert permutation_test(DARWIN) == Fraction(863, 2**15)


@given(st.lists(st.integers(-20, 20), max_size=9))
def test_few_pairs_are_counted_exactly(differences: list[int]):
    seen = sum(differences)
    choices = product((1, -1), repeat=len(differences))
    sums = [sum(map(math.prod, zip(signs, differences, strict=True))) for signs in choices]
    assert permutation_test(differences) == Fraction(sum(one >= seen for one in sums), len(sums))


def test_many_pairs_are_drawn_the_same_way_every_time_and_never_give_zero():
    grew = [1.0 + number % 7 for number in range(60)]
    assert permutation_test(grew) == permutation_test(grew) == Fraction(1, 10_000)
    assert permutation_test([-one for one in grew]) == 1


def test_many_pairs_agree_with_the_exact_answer():
    from scipy import stats as scipy_stats  # late: its import is slow, and most tests do not need it

    differences = DARWIN + DARWIN[:9]
    exact = scipy_stats.permutation_test(
        (differences,), sum, permutation_type="samples", alternative="greater", n_resamples=50_000, rng=1
    ).pvalue
    assert float(permutation_test(differences)) == pytest.approx(exact, abs=0.005)


def test_huge_and_tiny_numbers_are_no_trouble():
    assert permutation_test([1e300] * 5) == permutation_test([1e-300] * 5) == Fraction(1, 32)


def test_the_shift_of_darwin_s_maize():
    shift, low, high = hodges_lehmann(DARWIN)
    means = [(one + other) / 2 for place, one in enumerate(DARWIN) for other in DARWIN[place:]]
    assert shift == pytest.approx(median(means))
    assert low < shift < high


@given(st.lists(st.integers(-1000, 1000).map(lambda n: n + 0.25), min_size=1, max_size=14, unique_by=abs))
def test_the_interval_holds_the_shifts_that_wilcoxon_s_test_does_not_reject(differences: list[float]):
    from scipy import stats as scipy_stats  # late: its import is slow, and most tests do not need it

    shift, low, high = hodges_lehmann(differences)
    assert min(differences) <= low <= shift <= high <= max(differences)
    for bound, inside in ((low, 1), (high, -1)):
        moved = [difference - bound - inside * 1e-4 for difference in differences]
        assert scipy_stats.wilcoxon(moved, method="exact").pvalue >= 0.05 or len(differences) < 6


def test_with_too_few_pairs_the_interval_is_all_the_data():
    assert hodges_lehmann([3.0, 5.0, 10.0])[1:] == pytest.approx((3.0, 10.0))


def test_ten_thousand_pairs_need_no_list_of_all_their_means():
    shift, low, high = hodges_lehmann([float(number) for number in range(10_000)])
    assert shift == pytest.approx(4999.5)
    assert low == pytest.approx(4999.5 - 57, abs=1)
    assert high == pytest.approx(4999.5 + 57, abs=1)


def test_a_shift_of_nothing_is_an_error():
    with pytest.raises(ValueError, match="at least one pair"):
        hodges_lehmann([])
