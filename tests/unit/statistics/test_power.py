"""The power of each design, beside what SPEC says and what simulated comparisons give."""

import random
from fractions import Fraction

import pytest

from vivavoce.statistics.power import fewest_pairs, fisher_power
from vivavoce.statistics.proportions import fisher_exact

FIVE_PERCENT = Fraction(1, 20)


def test_three_runs_each_miss_a_drop_to_sixty_percent_in_94_of_100_comparisons():
    assert 1 - fisher_power(3, 3, 1.0, 0.6, FIVE_PERCENT) == pytest.approx(0.936)


def test_a_few_more_runs_see_it():
    assert fisher_power(12, 12, 1.0, 0.6, FIVE_PERCENT) < 0.8 <= fisher_power(13, 13, 1.0, 0.6, FIVE_PERCENT)


@pytest.mark.parametrize(("runs", "before", "after"), [(5, 0.9, 0.3), (10, 0.8, 0.5), (8, 1.0, 0.7)])
def test_the_power_is_what_simulated_comparisons_find(runs: int, before: float, after: float):
    draw = random.Random(7)
    found = 0
    for _ in range(4_000):
        passed_before = sum(draw.random() < before for _ in range(runs))
        passed_after = sum(draw.random() < after for _ in range(runs))
        found += fisher_exact(passed_before, runs, passed_after, runs, "worse") <= FIVE_PERCENT
    assert found / 4_000 == pytest.approx(fisher_power(runs, runs, before, after, FIVE_PERCENT), abs=0.03)


def test_without_a_change_the_test_is_rarely_alarmed():
    assert fisher_power(10, 10, 0.8, 0.8, FIVE_PERCENT) <= 0.05


def test_a_permutation_test_needs_enough_pairs_to_count_at_all():
    assert fewest_pairs(FIVE_PERCENT) == 5
    assert fewest_pairs(Fraction(1, 80)) == 7
