"""Agreement of two raters beside published values."""

import math
import random

import pytest

from vivavoce.statistics.agreement import agreement


def ratings(table: list[list[int]]) -> tuple[list[int], list[int]]:
    pairs = [(row, column) for row, counts in enumerate(table) for column, n in enumerate(counts) for _ in range(n)]
    return [row for row, _ in pairs], [column for _, column in pairs]


def test_kappa_and_its_interval_have_the_values_of_fleiss_levin_and_paik():
    """Statistical Methods for Rates and Proportions, table 18.1: kappa 0.676, interval 0.504 to 0.848 (rounded)."""
    found = agreement(*ratings([[75, 1, 4], [5, 4, 1], [0, 0, 10]]))
    assert found.rate == pytest.approx(0.89)
    assert found.kappa == pytest.approx(0.676, abs=5e-4)
    assert (found.low, found.high) == pytest.approx((0.504, 0.848), abs=0.001)


def test_a_textbook_table():
    """Cohen's grant example, as encyclopaedias print it: 50 proposals, kappa 0.4."""
    assert agreement(*ratings([[20, 5], [10, 15]])).kappa == pytest.approx(0.4)


def test_full_agreement_is_one_and_full_disagreement_below_zero():
    assert agreement([True, False, True], [True, False, True])[:2] == (1.0, 1.0)
    assert agreement([True, False], [False, True]).kappa == -1.0


def test_raters_who_only_ever_say_one_thing_tell_nothing():
    found = agreement([True, True], [True, True])
    assert found.rate == 1.0
    assert math.isnan(found.kappa)


@pytest.mark.parametrize(("first", "second"), [([], []), ([1], [1, 2])])
def test_ratings_that_do_not_belong_together_are_an_error(first: list[int], second: list[int]):
    with pytest.raises(ValueError, match="two ratings of each thing"):
        agreement(first, second)


def test_the_example_of_scikit_learns_documentation():
    """cohen_kappa_score's own example: 0.6875."""
    first = ["negative", "positive", "negative", "neutral", "positive"]
    second = ["negative", "positive", "negative", "neutral", "negative"]
    assert agreement(first, second).kappa == pytest.approx(0.6875)


@pytest.mark.parametrize("seed", range(10))
def test_scikit_learn_has_the_same_kappa(seed: int):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed: NOT compared with it")
    chance = random.Random(seed)
    first = [chance.choice("abc") for _ in range(50)]
    second = [one if chance.random() < 0.6 else chance.choice("abc") for one in first]
    assert agreement(first, second).kappa == pytest.approx(metrics.cohen_kappa_score(first, second))
