"""promptfoo's `assert-set`s and thresholds."""

from itertools import product
from typing import Any

import pytest

from vivavoce.imports.promptfoo.sets import AssertSet, weigh, weight_of


def checks(count: int, **fields: Any) -> list[dict[str, Any]]:
    return [{"type": "contains", "value": str(number), **fields} for number in range(count)]


def holds(assertions: list[dict[str, Any]], results: tuple[bool, ...], min_score: float | None) -> bool:
    """viva's rule: the share of the weight that held."""
    if min_score is None:
        return all(results)
    total = sum(map(weight_of, assertions))
    return sum(weight_of(one) for one, held in zip(assertions, results, strict=True) if held) / total >= min_score


@pytest.mark.parametrize("others", [0, 1, 3])
@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize("threshold", [0.1, 1 / 3, 0.5, 0.67, 0.9])
def test_all_but_some_of_one_set_must_hold(others: int, size: int, threshold: float):
    outside, inside = checks(others), checks(size)
    assertions = [*outside, *inside]
    loose = AssertSet(assertions=tuple(inside), threshold=threshold, weight=1)
    min_score, differs = weigh(assertions, [loose], None)
    assert not differs
    for results in product((True, False), repeat=others + size):
        theirs = all(results[:others]) and sum(results[others:]) / size >= threshold
        assert holds(assertions, results, min_score) is theirs, results


def test_weights_inside_a_set_count():
    inside = [*checks(1, weight=3), *checks(1)]
    min_score, _ = weigh(inside, [AssertSet(assertions=tuple(inside), threshold=0.7, weight=1)], None)
    assert holds(inside, (True, False), min_score)
    assert not holds(inside, (False, True), min_score)


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.75])
def test_under_a_threshold_of_the_test_a_set_counts_as_one_check(threshold: float):
    outside, inside = checks(1), checks(4)
    assertions = [*outside, *inside]
    min_score, _ = weigh(assertions, [AssertSet(assertions=tuple(inside), threshold=0.9, weight=2)], threshold)
    assert min_score == threshold
    for results in product((True, False), repeat=5):
        score = (results[0] + 2 * sum(results[1:]) / 4) / 3
        assert holds(assertions, results, min_score) is (score >= threshold), results


@pytest.mark.parametrize("threshold", [None, 1.0])
def test_a_set_without_a_threshold_must_hold_as_a_whole(threshold: float | None):
    inside = [*checks(1, weight=3), *checks(1)]
    assert weigh(inside, [AssertSet(assertions=tuple(inside), threshold=threshold, weight=1)], None) == (None, "")
    assert all("weight" not in one for one in inside)


def test_a_set_that_decides_nothing_is_left_out_which_is_told():
    outside, inside = checks(1), checks(2)
    assertions = [*outside, *inside]
    min_score, differs = weigh(assertions, [AssertSet(assertions=tuple(inside), threshold=0.0, weight=1)], None)
    assert (min_score, assertions) == (None, outside)
    assert "decides nothing" in differs


def test_of_several_such_sets_all_must_hold_which_is_told():
    first, second = checks(2), checks(2)
    sets = [AssertSet(assertions=tuple(each), threshold=0.5, weight=1) for each in (first, second)]
    min_score, differs = weigh([*first, *second], sets, None)
    assert min_score is None
    assert "several of its sets have a threshold" in differs
