"""Growth of durations, tokens and cost over all cases together."""

from fractions import Fraction

import pytest

from vivavoce.insight.baselines.baseline import BaselineCase
from vivavoce.insight.baselines.measures import MEASURED, MeasureChange, change_of, has_values

DURATION, TOKENS, COST = MEASURED
LIMIT = Fraction(1, 80)


def took(*ms: float) -> BaselineCase:
    return BaselineCase(key="k", id="k", agent="", case_hash="h", durations_ms=ms)


def spent(*tokens: int) -> BaselineCase:
    return BaselineCase(key="k", id="k", agent="", case_hash="h", tokens=tokens)


def duration_change(before: float, after: float, pairs: int) -> MeasureChange:
    return change_of(DURATION, [(took(before + n), took(after + n)) for n in range(pairs)], LIMIT)


def test_all_cases_twice_as_slow_is_slower():
    found = duration_change(1000, 2000, 10)
    assert found.regressed
    assert found.shift == pytest.approx(1.0, abs=0.02)
    assert found.low <= found.shift <= found.high
    assert (found.grown, found.pairs) == ("slower", 10)


def test_few_cases_cannot_show_it():
    found = duration_change(1000, 2000, 3)
    assert not found.regressed
    assert found.pairs_needed > 3


def test_sure_growth_that_is_too_small_does_not_matter():
    assert not duration_change(1000, 1050, 12).regressed  # 5 %, less than the tenth that counts
    assert not duration_change(10, 40, 12).regressed  # four times as much, and 30 ms


def test_faster_is_no_regression():
    found = duration_change(2000, 1000, 12)
    assert not found.regressed
    assert found.shift < 0


def test_cases_without_values_on_one_side_are_left_out():
    pairs = [(took(1000), took(2000))] * 10 + [(took(), took(9)), (took(9), took())]
    assert change_of(DURATION, pairs, LIMIT).pairs == 10


def test_tokens_have_a_smaller_threshold():
    pairs = [(spent(100 + n), spent(108 + n)) for n in range(12)]
    assert change_of(TOKENS, pairs, LIMIT).regressed


def test_whether_there_is_anything_to_compare():
    assert has_values(DURATION, [(took(), took(1)), (took(1), took(1))])
    assert not has_values(DURATION, [(took(), took(1)), (took(1), took())])
    assert not has_values(COST, [(took(1), took(1))])
