"""Which differences between contenders are real, and which may be chance. Every case is compared with itself."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from msgspec import Struct, structs

from vivavoce.results.contest.entry import Entry
from vivavoce.results.contest.standing import mean_of
from vivavoce.statistics.many_tests import holm
from vivavoce.statistics.paired import hodges_lehmann, shift_test
from vivavoce.statistics.stratified import Stratum, stratified_exact

ERROR_RATE = Fraction(5, 100)
"""The chance that a whole comparison of equal agents calls any difference real."""
PASSES = "passed"


class Measure(Struct, frozen=True):
    """What is measured of every run besides whether it passed."""

    name: str
    value: str
    least_share: float
    """A smaller difference is never called real, however sure it is."""
    least_amount: float
    floor: float
    """Smaller values count as this one."""


MEASURES = (
    Measure("duration", "duration_ms", 0.10, 50.0, 1.0),
    Measure("tokens", "tokens", 0.05, 0.0, 1.0),
    Measure("cost", "cost", 0.05, 0.0, 1e-9),
)


class Difference(Struct, frozen=True, kw_only=True):
    """Two contenders compared by one measure, over the cases that were judged with both."""

    first: str
    second: str
    measure: str
    """`passed`, `duration`, `tokens` or `cost`."""
    cases: int
    p: Fraction
    """How likely a difference at least as big is by chance, as Holm corrects it for all the tests made here."""
    real: bool
    first_better: int = 0
    second_better: int = 0
    """Of `passed`: in how many cases each of them passed more runs."""
    shift: float = 0.0
    """Of the others: how much more the second takes, as a share (0.2 is 20 % more)."""
    low: float = 0.0
    high: float = 0.0
    """The 95 % interval of the shift."""


Pairs = Sequence[tuple[Entry, Entry]]


def differences(labels: Sequence[str], entries: Mapping[str, Mapping[str, Entry]]) -> list[Difference]:
    """Tests every two contenders by every measure. `entries` are by label and by the key of the case."""
    found: list[Difference] = []
    matters: list[bool] = []
    for first, second in combinations(labels, 2):
        ours, theirs = entries.get(first, {}), entries.get(second, {})
        pairs = [
            (ours[key], theirs[key])
            for key in ours
            if key in theirs and ours[key].conclusive_runs and theirs[key].conclusive_runs
        ]
        if not pairs:
            continue
        found.append(_in_passes(first, second, pairs))
        matters.append(True)
        for measure in MEASURES:
            if (told := _in_measure(first, second, measure, pairs)) is not None:
                found.append(told[0])
                matters.append(told[1])
    corrected = holm([one.p for one in found])
    return [
        structs.replace(one, p=p, real=counts and p <= ERROR_RATE)
        for one, p, counts in zip(found, corrected, matters, strict=True)
    ]


def fewest_one_sided(tests: int, runs: int) -> int:
    """Returns how many cases must pass with one contender only, all with the same, before that can be called real."""
    cases = 1
    while Fraction(2 * tests, math.comb(2 * runs, runs) ** cases) > ERROR_RATE:
        cases += 1
    return cases


def _in_passes(first: str, second: str, pairs: Pairs) -> Difference:
    strata = [Stratum(one.passed, one.conclusive_runs, other.passed, other.conclusive_runs) for one, other in pairs]
    other_way = [Stratum(one.passed_after, one.runs_after, one.passed_before, one.runs_before) for one in strata]
    p = min(Fraction(1), 2 * min(stratified_exact(strata), stratified_exact(other_way)))
    rates = [(one.passed / one.conclusive_runs, other.passed / other.conclusive_runs) for one, other in pairs]
    return Difference(
        first=first,
        second=second,
        measure=PASSES,
        cases=len(pairs),
        p=p,
        real=False,
        first_better=sum(one > other for one, other in rates),
        second_better=sum(one < other for one, other in rates),
    )


def _in_measure(first: str, second: str, measure: Measure, pairs: Pairs) -> tuple[Difference, bool] | None:
    """Returns the difference and whether it is big enough to matter; None where nothing was measured."""
    logs: list[float] = []
    amounts: list[float] = []
    for one, other in pairs:
        before, after = mean_of(one.tried, measure.value), mean_of(other.tried, measure.value)
        if before is not None and after is not None:
            logs.append(math.log(max(after, measure.floor)) - math.log(max(before, measure.floor)))
            amounts.append(abs(after - before))
    if not logs:
        return None
    shift, low, high = map(math.expm1, hodges_lehmann(logs))
    found = Difference(
        first=first,
        second=second,
        measure=measure.name,
        cases=len(logs),
        p=shift_test(logs),
        real=False,
        shift=shift,
        low=low,
        high=high,
    )
    middle = sorted(amounts)[len(amounts) // 2]
    big = max(shift, 1 / (1 + shift) - 1) >= measure.least_share
    return found, big and middle >= measure.least_amount
