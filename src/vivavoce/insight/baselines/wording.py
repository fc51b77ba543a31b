"""A comparison with a baseline in plain lines."""

from collections.abc import Iterator

from vivavoce.insight.baselines.comparing import CONFIRMING_RUNS, CaseComparison, Comparison, Standing
from vivavoce.insight.baselines.unseen import RATE_AFTER, RATE_BEFORE, Unseen, unseen_in
from vivavoce.wording.plurals import counted


def comparison_lines(found: Comparison, *, confirm: bool = True) -> list[str]:
    """Returns what changed, and what could not have been seen."""
    return [*_changes(found), *_verdict(found), *_unseen(unseen_in(found, confirm=confirm))]


def case_words(case: CaseComparison) -> str:
    """`T3: 3 of 3 passed before, 0 of 3 now`"""
    before, after = case.before, case.after
    was = f"{before.passed} of {before.runs} passed before, " if before is not None and before.runs else ""
    return f"{after.id}: {was}{after.passed} of {after.runs} now"


def _changes(found: Comparison) -> Iterator[str]:
    for case in found.of(Standing.REGRESSION):
        yield f"✗ worse: {case_words(case)} ({_why(case)})"
    for case in found.of(Standing.UNCONFIRMED):
        yield f"! not confirmed: {case_words(case)}; one failure does not count"
    for case in found.of(Standing.FLAKY):
        yield f"! flaky: {case_words(case)}; it does not count"
    for case in found.of(Standing.UNJUDGED):
        yield f"✗ could not be judged: {case.after.id} ({counted(case.after.broken, 'broken attempt')})"
    for case in (*found.of(Standing.NEW), *found.of(Standing.CHANGED)):
        if not case.passes:
            what = "new" if case.standing is Standing.NEW else "changed since the baseline"
            yield f"✗ {what}, not compared, does not pass: {case_words(case)}"
    for case in found.of(Standing.FIXED):
        yield f"✓ fixed: {case_words(case)}"
    if found.suite is not None and found.suite.regressed:
        now, expected = found.suite.now, found.suite.expected
        p = float(found.suite.p)
        yield f"✗ worse over all cases: {_percent(now)} of the runs passed, {_percent(expected)} expected (p = {p:.2g})"
    for measure in found.regressed_measures:
        low, high = (f"{100 * share:+.0f} %" for share in (measure.low, measure.high))
        shares = f"{100 * measure.shift:+.0f} % (95 % interval {low} to {high})"
        yield f"✗ {measure.grown}: {measure.name} {shares}, {counted(measure.pairs, 'case')}"


def _why(case: CaseComparison) -> str:
    if case.confirmed:
        return f"confirmed by {CONFIRMING_RUNS} more runs"
    if case.by_rule:
        return "all passed before and none now"
    return "not run again" if case.flipped or case.p is None else f"p = {float(case.p):.2g}"


def _verdict(found: Comparison) -> Iterator[str]:
    compared = counted(len(found.compared), "case")
    missing = f"; {counted(found.missing, 'case')} of the baseline did not run" if found.missing else ""
    verdict = "worse than the baseline" if found.regressed else "no regression"
    yield f"{verdict}: {compared} compared{missing}"


def _unseen(unseen: Unseen | None) -> Iterator[str]:
    if unseen is None:
        return
    runs = (
        f"{counted(unseen.runs_after, 'run')} each"
        if unseen.runs_before == unseen.runs_after
        else f"{counted(unseen.runs_before, 'run')} before and {unseen.runs_after} now"
    )
    drop = f"a drop of one case from {_percent(RATE_BEFORE)} to {_percent(RATE_AFTER)}"
    helps = [f"--runs {unseen.runs_each}"] if unseen.runs_each else []
    if unseen.runs_after_large_baseline:
        helps.append(f"a baseline of {unseen.large_baseline} runs and --runs {unseen.runs_after_large_baseline}")
    use = f": use {', or '.join(helps)}" if helps else ""
    yield f"with {runs}, {drop} goes unnoticed in {_percent(unseen.missed)} of all comparisons{use}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
