"""Did a run get slower, dearer or wordier than the last ten? Each case is compared with itself. Pure functions."""

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

from vivavoce.insight.growth_limits import COST, DURATION, TOKENS, GrowthLimits
from vivavoce.results.history.pace_file import CasePace, RunPace
from vivavoce.statistics.ranked import stratified_rank_test
from vivavoce.wording.plurals import counted

LAST_RUNS = 10
LEAST_RUNS = 3
"""A case with fewer earlier results is left out."""


class _Measure(Struct, frozen=True):
    limits: GrowthLimits
    value: Callable[[CasePace], float | None]


_MEASURES = (
    _Measure(DURATION, lambda case: case.duration_ms),
    _Measure(TOKENS, lambda case: case.tokens),
    _Measure(COST, lambda case: case.cost),
)
_LIMIT = 0.05 / len(_MEASURES)


class Growth(Struct, frozen=True, kw_only=True):
    """One measure that grew."""

    grown: str
    share: float
    """The typical growth: 0.2 is 20 % more."""
    cases: int
    runs: int


class _Values(Struct, frozen=True):
    """One case: what it took now and in earlier runs, as logarithms."""

    now: float
    earlier: dict[str, float]
    """By the id of the run."""

    @property
    def usual(self) -> float:
        return math.fsum(self.earlier.values()) / len(self.earlier)


def growth_in(now: RunPace, earlier: Sequence[RunPace]) -> list[Growth]:
    """Returns the measures that grew by more than chance explains, also beyond each of the earlier runs.

    A slow machine makes all cases of a run slow together. So a run counts as slower only when it is slower than the
    slowest of the earlier ones. `earlier` comes oldest first.
    """
    history: dict[tuple[str, str, int], list[tuple[str, CasePace]]] = {}
    for run in reversed(earlier):
        for case in run.cases:
            known = history.setdefault((case.key, case.agent, case.asked), [])
            if run.run_id != now.run_id and len(known) < LAST_RUNS:
                known.append((run.run_id, case))
    found = (_growth(measure, now, history) for measure in _MEASURES)
    return [one for one in found if one is not None]


def growth_line(grown: Sequence[Growth]) -> str:
    """`slower (+35 %), wordier (+70 %) than the last 10 runs: 12 cases, each compared with itself`"""
    growth = ", ".join(f"{one.grown} ({100 * one.share:+.0f} %)" for one in grown)
    runs, cases = max(one.runs for one in grown), max(one.cases for one in grown)
    return f"{growth} than the last {counted(runs, 'run')}: {counted(cases, 'case')}, each compared with itself"


def _growth(
    measure: _Measure, now: RunPace, history: dict[tuple[str, str, int], list[tuple[str, CasePace]]]
) -> Growth | None:
    values: list[_Values] = []
    for case in now.cases:
        taken = _log(measure, case)
        before = {
            run: level
            for run, one in history.get((case.key, case.agent, case.asked), ())
            if (level := _log(measure, one)) is not None
        }
        if taken is not None and len(before) >= LEAST_RUNS:
            values.append(_Values(taken, before))
    if not values:
        return None
    share = math.expm1(_median([one.now - one.usual for one in values]))
    amount = _median([math.exp(one.now) - math.exp(one.usual) for one in values])
    limits = measure.limits
    if share < limits.least_growth or amount < limits.least_amount or not _is_beyond_each_run(values):
        return None
    if stratified_rank_test([(one.now, list(one.earlier.values())) for one in values]) > _LIMIT:
        return None
    runs = max(len(one.earlier) for one in values)
    return Growth(grown=limits.grown, share=share, cases=len(values), runs=runs)


def _log(measure: _Measure, case: CasePace) -> float | None:
    value = measure.value(case)
    return None if value is None else math.log(max(value, measure.limits.floor))


def _is_beyond_each_run(values: Sequence[_Values]) -> bool:
    """Whether most cases took more than in each of the earlier runs that had at least half of them."""
    growth: dict[str, list[float]] = {}
    for one in values:
        for run, earlier in one.earlier.items():
            growth.setdefault(run, []).append(one.now - earlier)
    return all(_median(of_run) > 0 for of_run in growth.values() if 2 * len(of_run) >= len(values))


def _median(values: Sequence[float]) -> float:
    """The same as `statistics.median`, whose module takes long to load."""
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(values) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
