"""Attempts → how steady a case is. Pure."""

import math
from collections import Counter
from collections.abc import Sequence

from vivavoce.model.json_value import JsonValue, compact_json
from vivavoce.model.result import NOT_JUDGED, Attempt, Stability, Status
from vivavoce.statistics.proportions import wilson_interval

_SIMILAR_PERCENT = 80
"""The default threshold of the `similar` assertion."""
_COMPARED_CHARACTERS = 10_000


def classify(pass_rate: float) -> str:
    """Returns seed 000's class of a pass rate; only exactly 100 is stable."""
    if pass_rate >= 100:
        return "stable"
    if pass_rate >= 80:
        return "mostly_stable"
    return "unstable" if pass_rate >= 50 else "highly_unstable"


def stability_of(attempts: Sequence[Attempt]) -> Stability:
    """The metrics over all runs that counted; a skipped run says nothing about the agent."""
    counted = [a for a in attempts if a.status not in NOT_JUDGED]
    runs = len(counted)
    passed = sum(a.status is Status.PASSED for a in counted)
    durations = [a.duration_ms for a in counted] or [0.0]
    average = math.fsum(durations) / len(durations)
    rate = 100.0 * passed / runs if runs else 0.0
    low, high = wilson_interval(passed, runs)
    outputs = [_output_of(a) for a in counted]
    return Stability(
        runs=runs,
        passed=passed,
        failed=runs - passed,
        pass_rate=rate,
        consistency=consistency(outputs),
        stable=runs > 0 and passed == runs,
        stability_class=classify(rate),
        avg_duration_ms=average,
        min_duration_ms=min(durations),
        max_duration_ms=max(durations),
        std_deviation_ms=math.sqrt(math.fsum((d - average) ** 2 for d in durations) / len(durations)),
        ci_low=round(100 * low, 3),
        ci_high=round(100 * high, 3),
        pass_hat_k=(passed / runs) ** runs if runs else 0.0,
        similar_consistency=similar_consistency(outputs),
    )


def consistency(outputs: Sequence[str | None]) -> float:
    """The share of runs that agree with the most common output; a run without output agrees with none."""
    said = Counter(output for output in outputs if output is not None)
    return said.most_common(1)[0][1] / len(outputs) if said else 0.0


def similar_consistency(outputs: Sequence[str | None]) -> float:
    """The same, but an output similar to the most common one also agrees."""
    said = Counter(output for output in outputs if output is not None)
    if len(said) < 2:
        return consistency(outputs)
    from rapidfuzz import fuzz

    usual = said.most_common(1)[0][0][:_COMPARED_CHARACTERS]
    agreeing = sum(
        times
        for output, times in said.items()
        if fuzz.ratio(usual, output[:_COMPARED_CHARACTERS], score_cutoff=_SIMILAR_PERCENT)
    )
    return agreeing / len(outputs)


def _output_of(attempt: Attempt) -> str | None:
    """Returns an output in canonical form: texts and JSON that mean the same become equal."""
    output: JsonValue = attempt.output
    if output is None or output == "":
        return None
    return " ".join(output.split()).casefold() if isinstance(output, str) else compact_json(output)
