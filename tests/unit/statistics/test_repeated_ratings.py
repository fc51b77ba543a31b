"""Noise and bias of a rater that was asked several times."""

import random

import pytest

from vivavoce.statistics.repeated_ratings import disagreement

Y, N = True, False


def test_by_hand():
    """One thing right in 3 of 4 answers (noise 1/4), one wrong in 3 of 4 (bias 3/4), one always right."""
    found = disagreement([Y, Y, N], [[Y, Y, Y, N], [N, N, N, Y], [N, N]])
    assert found is not None
    assert found.noise == pytest.approx(1 / 12)
    assert found.bias == pytest.approx(3 / 12)
    assert found.self_agreement == pytest.approx((0.5 + 0.5 + 1) / 3)
    assert found.things == 3


def test_a_tie_is_noise():
    assert disagreement([Y], [[Y, N]]) == (0.5, 0.0, 0.0, 1)


def test_a_rater_who_always_says_the_same_wrong_thing_has_bias_only():
    assert disagreement([Y, N], [[N, N, N], [Y, Y, Y]]) == (0.0, 1.0, 1.0, 2)


def test_what_was_asked_once_tells_nothing():
    assert disagreement([Y, N], [[Y], []]) is None


@pytest.mark.parametrize("seed", range(10))
def test_both_parts_together_are_all_of_the_disagreement(seed: int):
    chance = random.Random(seed)
    reference = [chance.random() < 0.5 for _ in range(30)]
    answers = [[chance.random() < 0.6 for _ in range(5)] for _ in reference]
    found = disagreement(reference, answers)
    assert found is not None
    wrong = sum(one != wanted for wanted, given in zip(reference, answers, strict=True) for one in given)
    assert found.noise + found.bias == pytest.approx(wrong / 150)
