"""The rank test over many cases: the same as scipy's, and as counting by hand."""

import itertools
import random
from fractions import Fraction

import pytest

from vivavoce.statistics.ranked import stratified_rank_test


def middle_rank(value: float, values: list[float]) -> float:
    return sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2


def by_hand(strata: list[tuple[float, list[float]]]) -> Fraction:
    """Puts the new value of each case in every place."""
    ranks = [[middle_rank(value, [new, *old]) for value in [new, *old]] for new, old in strata]
    seen = sum(of_case[0] for of_case in ranks)
    sums = [sum(chosen) for chosen in itertools.product(*ranks)]
    return Fraction(sum(one >= seen for one in sums), len(sums))


@pytest.mark.parametrize("new", [0.5, 2.5, 7.5])
def test_one_case_is_the_exact_rank_sum_test(new: float):
    from scipy import stats  # late: its import is slow, and most tests do not need it

    earlier = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    known = stats.mannwhitneyu([new], earlier, alternative="greater", method="exact").pvalue
    assert stratified_rank_test([(new, earlier)]) == pytest.approx(known)


def test_a_few_cases_are_as_counted_by_hand_with_ties_too():
    draw = random.Random(1)
    for _ in range(20):
        strata = [(float(draw.randrange(5)), [float(draw.randrange(5)) for _ in range(4)]) for _ in range(4)]
        assert stratified_rank_test(strata) == pytest.approx(float(by_hand(strata)))


def test_many_cases_come_close_to_the_exact_sum():
    """Of 20 cases the sum is exact; a case without earlier values makes them no more than 20, so 21 are compared."""
    draw = random.Random(2)
    strata = [(draw.random() + 0.1, [draw.random() for _ in range(10)]) for _ in range(20)]
    exact = stratified_rank_test(strata)
    nearly = stratified_rank_test([*strata, (1.0, [1.0])])  # a tie says nothing
    assert nearly == pytest.approx(exact, abs=0.01)


def test_what_says_nothing_is_certain():
    assert stratified_rank_test([]) == 1
    assert stratified_rank_test([(3.0, [])]) == 1
    assert stratified_rank_test([(1.0, [1.0])] * 50) == 1


def test_equal_values_raise_a_false_alarm_as_rarely_as_the_limit_says():
    draw = random.Random(3)
    alarms = sum(
        stratified_rank_test([(draw.random(), [draw.random() for _ in range(10)]) for _ in range(30)]) <= 0.05
        for _ in range(1_000)
    )
    assert alarms <= 65
