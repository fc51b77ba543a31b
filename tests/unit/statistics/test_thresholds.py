"""The limit that agrees best with a reference, beside trying every one of them."""

import itertools
import random

import pytest

from vivavoce.statistics.agreement import agreement
from vivavoce.statistics.thresholds import Threshold, best_threshold


def best(scores: list[float], reference: list[bool]) -> Threshold:
    return best_threshold(scores, reference, lambda limit: [score >= limit for score in scores])


def test_two_groups_are_parted_in_the_middle():
    found = best([0.2, 0.4, 0.8, 0.9], [False, False, True, True])
    assert found == (pytest.approx(0.6), 1.0, 1.0)


def test_neighbouring_scores_are_parted_although_the_middle_is_rounded():
    assert best([0.1234, 0.1235], [False, True]) == (0.1235, 1.0, 1.0)


def test_where_everything_should_pass_everything_does():
    assert best([0.3, 0.9], [True, True])[:2] == (0.3, 1.0)


@pytest.mark.parametrize("seed", range(20))
def test_no_other_limit_agrees_better(seed: int):
    chance = random.Random(seed)
    scores = [round(chance.random(), 1) for _ in range(25)]
    reference = [chance.random() < score for score in scores]
    found = best(scores, reference)
    for limit in (*scores, *(low + 0.05 for low in scores)):
        if any(score >= limit for score in scores):
            assert agreement([score >= limit for score in scores], reference).rate <= found.rate + 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_finds_the_same(seed: int):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed: NOT compared with it")
    chance = random.Random(seed)
    scores = [round(chance.random(), 2) for _ in range(60)]
    reference = [chance.random() < score for score in scores]
    found = best(scores, reference)
    said = [score >= found.value for score in scores]
    assert found.rate == pytest.approx(metrics.accuracy_score(reference, said))
    assert found.kappa == pytest.approx(metrics.cohen_kappa_score(reference, said))
    tried = itertools.chain(scores, [min(scores)])
    assert found.rate == pytest.approx(
        max(metrics.accuracy_score(reference, [score >= limit for score in scores]) for limit in tried)
    )
