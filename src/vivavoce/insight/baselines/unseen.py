"""How large a drop a comparison can miss, computed from the number of runs it had."""

import math
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from vivavoce.insight.baselines.comparing import CONFIRMING_RUNS, Comparison, is_total_loss
from vivavoce.statistics.proportions import fisher_exact

RATE_BEFORE, RATE_AFTER = 1.0, 0.6
"""The drop of the pass rate for which this is computed."""
ENOUGH = 0.8
"""The power (the share of drops that are noticed) of a proposed number of runs."""
_LARGE_BASELINE = 30
_MOST_RUNS = 60


class Unseen(Struct, frozen=True, kw_only=True):
    """How often a drop of one case goes unnoticed, and what would help."""

    runs_before: int
    runs_after: int
    missed: float
    """The share of comparisons that do not notice it."""
    runs_each: int | None
    """With this number of runs on both sides, 80 % of comparisons notice the drop; None: it would take too many."""
    runs_after_large_baseline: int | None
    """The same for the new side alone, with a baseline of 30 runs."""

    large_baseline: int = _LARGE_BASELINE


def unseen_in(found: Comparison, *, confirm: bool = True) -> Unseen | None:
    """Computes it for the most common numbers of runs; None when nothing was compared."""
    pairs = [
        (case.before.runs, 1 if case.flipped else case.after.runs) for case in found.compared if case.before is not None
    ]
    if not pairs:
        return None
    (before, after), _ = max(Counter(pairs).items(), key=lambda counted: (counted[1], counted[0]))
    limit = found.case_limit / len(pairs)

    def power(runs_before: int, runs_after: int) -> float:
        return case_power(runs_before, runs_after, RATE_BEFORE, RATE_AFTER, limit, confirm=confirm)

    each = (runs for runs in range(2, _MOST_RUNS + 1) if power(runs, runs) >= ENOUGH)
    large = (runs for runs in range(2, _MOST_RUNS + 1) if power(_LARGE_BASELINE, runs) >= ENOUGH)
    return Unseen(
        runs_before=before,
        runs_after=after,
        missed=1 - power(before, after),
        runs_each=next(each, None),
        runs_after_large_baseline=next(large, None),
    )


def case_power(
    runs_before: int, runs_after: int, rate_before: float, rate_after: float, limit: Fraction, *, confirm: bool = True
) -> float:
    """Returns how often a case with these true pass rates is called a regression. `limit` is the corrected one."""
    single = runs_after == 1 and confirm
    return math.fsum(
        chance_before * chance_after
        for passed_before, chance_before in _outcomes(runs_before, rate_before)
        for passed_after, runs, chance_after in (
            _confirmed_outcomes(rate_after) if single else _outcomes_of_runs(runs_after, rate_after)
        )
        if _is_regression(passed_before, runs_before, passed_after, runs, limit, single=runs_after == 1)
    )


def _is_regression(
    passed_before: int, runs_before: int, passed_after: int, runs_after: int, limit: Fraction, *, single: bool
) -> bool:
    """Decides as `comparing` does: a single failed run counts when it was confirmed."""
    if single and passed_before == runs_before and passed_after == 0:
        return True
    if is_total_loss(passed_before, runs_before, passed_after, runs_after):
        return True
    return fisher_exact(passed_before, runs_before, passed_after, runs_after, "worse") <= limit


def _confirmed_outcomes(rate: float) -> Iterator[tuple[int, int, float]]:
    """After a failed first run the case is run again."""
    yield 1, 1, rate
    for passed, chance in _outcomes(CONFIRMING_RUNS, rate):
        yield passed, CONFIRMING_RUNS + 1, (1 - rate) * chance


def _outcomes_of_runs(runs: int, rate: float) -> Iterator[tuple[int, int, float]]:
    return ((passed, runs, chance) for passed, chance in _outcomes(runs, rate))


def _outcomes(runs: int, rate: float) -> Iterator[tuple[int, float]]:
    """Every number of passes that is possible, with its chance."""
    for passed in range(runs + 1):
        chance = math.comb(runs, passed) * rate**passed * (1 - rate) ** (runs - passed)
        if chance:
            yield passed, chance
