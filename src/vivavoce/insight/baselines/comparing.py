"""A run against a baseline: what became worse by more than chance explains. Pure functions.

The chance of a false alarm in a whole comparison is at most 5 %. It is split evenly over the families: cases,
duration, tokens and cost. The share of the cases is split again: half for the single cases (Holm), half for the suite.
"""

from collections.abc import Mapping, Sequence, Set
from enum import StrEnum
from fractions import Fraction

from msgspec import Struct

from vivavoce.insight.baselines.baseline import Baseline, BaselineCase
from vivavoce.insight.baselines.measures import MEASURED, MeasureChange, Pair, change_of, has_values
from vivavoce.insight.baselines.partners import CaseKey, partners_of
from vivavoce.statistics.many_tests import holm
from vivavoce.statistics.proportions import fisher_exact
from vivavoce.statistics.stratified import Stratum, stratified_exact

FALSE_ALARM = Fraction(1, 20)
RUNS_FOR_RULE = 3
"""With this many runs on each side, "all passed before and none now" is a regression without statistics."""
CONFIRMING_RUNS = 4
"""How often a case that flipped is run again before the flip counts."""


class Standing(StrEnum):
    """The result of comparing a case with the baseline."""

    REGRESSION = "regression"
    UNCONFIRMED = "unconfirmed"
    """It always passed before and failed now. Run again, it passed at least once; or it was not run again."""
    FLAKY = "flaky"
    """It flipped, and the history knows it as flaky."""
    UNJUDGED = "unjudged"
    """It ran, but a judge, a hook or the network broke every attempt."""
    FIXED = "fixed"
    SAME = "same"
    NEW = "new"
    """It is not in the baseline."""
    CHANGED = "changed"
    """Its input or checks were changed since, so it cannot be compared."""


class CaseComparison(Struct, frozen=True, kw_only=True):
    before: BaselineCase | None
    after: BaselineCase
    standing: Standing
    p: Fraction | None = None
    """The probability of such a drop by chance (Fisher's exact test, corrected by Holm)."""
    by_rule: bool = False
    flipped: bool = False
    """Whether it failed all its few runs after it had always passed."""
    confirmed: bool = False
    """Whether further runs confirmed a flip."""

    @property
    def passes(self) -> bool:
        """Whether every attempt passed."""
        return self.after.runs > 0 and self.after.passed == self.after.runs


class SuiteChange(Struct, frozen=True, kw_only=True):
    """All cases together."""

    p: Fraction
    limit: Fraction
    expected: float
    """The share of runs now that would pass with the rates of the baseline."""
    now: float

    @property
    def regressed(self) -> bool:
        return self.p <= self.limit


class Comparison(Struct, frozen=True, kw_only=True):
    """A whole run against a baseline."""

    baseline: str
    cases: tuple[CaseComparison, ...]
    missing: int
    """Cases of the baseline that did not run now."""
    suite: SuiteChange | None
    measures: tuple[MeasureChange, ...]
    case_limit: Fraction
    """The limit for a single case, before Holm's correction."""

    def of(self, standing: Standing) -> list[CaseComparison]:
        return [case for case in self.cases if case.standing is standing]

    @property
    def compared(self) -> list[CaseComparison]:
        left_out = (Standing.NEW, Standing.CHANGED, Standing.UNJUDGED)
        return [case for case in self.cases if case.standing not in left_out]

    @property
    def regressed_measures(self) -> list[MeasureChange]:
        return [measure for measure in self.measures if measure.regressed]

    @property
    def suite_regressed(self) -> bool:
        return self.suite is not None and self.suite.regressed

    @property
    def regressed(self) -> bool:
        return bool(self.of(Standing.REGRESSION) or self.suite_regressed or self.regressed_measures)


def is_total_loss(passed_before: int, runs_before: int, passed_after: int, runs_after: int) -> bool:
    """Whether all runs passed before and none passes now, in enough runs to be a regression without statistics.

    A baseline of one run is enough when as many runs failed now as for a confirmed flip.
    """
    enough = min(runs_before, runs_after) >= RUNS_FOR_RULE or runs_after > CONFIRMING_RUNS
    return enough and passed_before == runs_before and passed_after == 0


def is_flip(before: BaselineCase | None, after: BaselineCase) -> bool:
    """Whether a case that always passed failed all of its few runs: too few to be sure, so it is run again."""
    if before is None or before.case_hash != after.case_hash or not before.always_passed or after.passed:
        return False
    few = 0 < after.runs <= CONFIRMING_RUNS
    return few and not is_total_loss(before.passed, before.runs, after.passed, after.runs)


def compare(
    baseline: Baseline,
    now: Sequence[BaselineCase],
    *,
    flaky: Set[CaseKey] = frozenset(),
    confirmations: Mapping[CaseKey, BaselineCase] | None = None,
    confirm: bool = True,
) -> Comparison:
    """Compares counts with counts.

    `confirmations` has the counts of the cases that were run again because they flipped, over all their runs.
    Without `confirm`, a flip that was not run again is a regression.
    """
    again = confirmations or {}
    partners = partners_of(baseline.cases, now)
    pairs: list[Pair] = []
    flips: set[int] = set()
    for case in now:
        before = partners.get((case.key, case.agent))
        if before is None or before.case_hash != case.case_hash or not before.runs or not case.runs:
            continue
        if is_flip(before, case):
            flips.add(len(pairs))
        pairs.append((before, again.get((case.key, case.agent), case)))
    measured = [one for one in MEASURED if has_values(one, pairs)]
    share = FALSE_ALARM / (1 + len(measured))
    corrected = holm([_p(before, after) for before, after in pairs])
    judged: dict[CaseKey, CaseComparison] = {}
    for place, ((before, after), p) in enumerate(zip(pairs, corrected, strict=True)):
        key = (after.key, after.agent)
        flipped = place in flips
        judged[key] = _judged(before, after, p, share / 2, flip=_Flip(flipped, key in flaky, key in again, confirm))
    return Comparison(
        baseline=baseline.name,
        cases=tuple(judged.get((case.key, case.agent)) or _not_compared(partners, case) for case in now),
        missing=len(baseline.cases) - len({(one.key, one.agent) for one in partners.values()}),
        suite=_suite(pairs, share / 2),
        measures=tuple(change_of(one, pairs, share) for one in measured),
        case_limit=share / 2,
    )


class _Flip(Struct, frozen=True):
    """What is known of a case that flipped in its few runs."""

    happened: bool
    flaky: bool
    run_again: bool
    confirm: bool


def _judged(before: BaselineCase, after: BaselineCase, p: Fraction, limit: Fraction, flip: _Flip) -> CaseComparison:
    standing, confirmed = Standing.SAME, False
    by_rule = is_total_loss(before.passed, before.runs, after.passed, after.runs)
    if flip.happened:
        confirmed = flip.run_again and after.passed == 0
        if flip.flaky:
            standing = Standing.FLAKY
        elif confirmed or (not flip.confirm and not flip.run_again) or p <= limit:
            standing = Standing.REGRESSION
        else:
            standing = Standing.UNCONFIRMED
    elif by_rule or p <= limit:
        standing = Standing.REGRESSION
    elif before.passed == 0 and after.passed == after.runs:
        standing = Standing.FIXED
    by_rule = by_rule and standing is Standing.REGRESSION
    return CaseComparison(
        before=before,
        after=after,
        standing=standing,
        p=p,
        by_rule=by_rule,
        flipped=flip.happened,
        confirmed=confirmed,
    )


def _not_compared(partners: Mapping[CaseKey, BaselineCase], after: BaselineCase) -> CaseComparison:
    before = partners.get((after.key, after.agent))
    if not after.runs:
        standing = Standing.UNJUDGED
    elif before is None or not before.runs:
        standing = Standing.NEW
    else:
        standing = Standing.CHANGED
    return CaseComparison(before=before, after=after, standing=standing)


def _p(before: BaselineCase, after: BaselineCase) -> Fraction:
    return fisher_exact(before.passed, before.runs, after.passed, after.runs, "worse")


def _suite(pairs: Sequence[Pair], limit: Fraction) -> SuiteChange | None:
    if not pairs:
        return None
    p = stratified_exact([Stratum(before.passed, before.runs, after.passed, after.runs) for before, after in pairs])
    runs = sum(after.runs for _, after in pairs)
    expected = sum(after.runs * before.passed / before.runs for before, after in pairs) / runs
    return SuiteChange(p=p, limit=limit, expected=expected, now=sum(after.passed for _, after in pairs) / runs)
