"""The exact test over many cases: the same as its special cases, and as counting by hand."""

import itertools
import math
import random
from fractions import Fraction

import pytest

from vivavoce.statistics.proportions import fisher_exact, mcnemar_exact
from vivavoce.statistics.stratified import Stratum, stratified_exact


def by_hand(strata: list[Stratum]) -> Fraction:
    """Deals the passes of each case over its runs in every way."""
    seen = sum(one.passed_after for one in strata)
    options: list[list[tuple[int, Fraction]]] = []
    for one in strata:
        passed, runs = one.passed_before + one.passed_after, one.runs_before + one.runs_after
        options.append(
            [
                (after, Fraction(math.comb(one.runs_after, after) * math.comb(one.runs_before, passed - after)))
                for after in range(max(0, passed - one.runs_before), min(one.runs_after, passed) + 1)
            ]
        )
        total = math.comb(runs, passed)
        options[-1] = [(after, ways / total) for after, ways in options[-1]]
    return sum(
        (
            math.prod((chance for _, chance in dealt), start=Fraction(1))
            for dealt in itertools.product(*options)
            if sum(after for after, _ in dealt) <= seen
        ),
        start=Fraction(0),
    )


@pytest.mark.parametrize("counts", [(3, 3, 0, 3), (5, 8, 2, 9), (10, 10, 7, 10)])
def test_one_case_is_fishers_test(counts: tuple[int, int, int, int]):
    assert stratified_exact([Stratum(*counts)]) == fisher_exact(*counts, "worse")


@pytest.mark.parametrize(("worse", "better"), [(5, 0), (6, 2), (1, 3)])
def test_single_runs_are_mcnemars_test(worse: int, better: int):
    strata = [Stratum(1, 1, 0, 1)] * worse + [Stratum(0, 1, 1, 1)] * better + [Stratum(1, 1, 1, 1)] * 7
    assert stratified_exact(strata) == mcnemar_exact(worse, better, "worse")


def test_mixed_counts_are_as_counted_by_hand():
    strata = [Stratum(3, 3, 1, 2), Stratum(2, 4, 2, 3), Stratum(1, 1, 0, 3), Stratum(3, 3, 3, 3)]
    assert stratified_exact(strata) == by_hand(strata)


def test_many_cases_in_floating_point_agree_with_whole_numbers(monkeypatch: pytest.MonkeyPatch):
    draw = random.Random(3)
    strata = [Stratum(draw.randint(0, 3), 3, draw.randint(0, 3), 3) for _ in range(60)]
    exact = stratified_exact(strata)
    monkeypatch.setattr("vivavoce.statistics.stratified._EXACT_UP_TO", 1)
    assert float(stratified_exact(strata)) == pytest.approx(float(exact), rel=1e-9)


def test_cases_that_always_end_the_same_way_say_nothing():
    assert stratified_exact([Stratum(3, 3, 3, 3), Stratum(0, 2, 0, 5)]) == 1
