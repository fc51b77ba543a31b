"""`min_score`: how much of what was checked must hold."""

from collections.abc import Sequence
from functools import cache

from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.plugins.catalog import ASSERTIONS


def score(verdicts: Sequence[Verdict]) -> float:
    """Returns the share of the weight that held; 0 when nothing has any weight. Only passes and failures count."""
    counted = [one for one in verdicts if one.outcome in (Outcome.PASSED, Outcome.FAILED)]
    total = sum(_weight(one) for one in counted)
    return sum(_weight(one) for one in counted if one.passed) / total if total else 0.0


def never_outvoted(verdict: Verdict) -> bool:
    """Whether this failure decides the case whatever else holds: a forbidden tool was called."""
    return verdict.spec is not None and _is_never_outvoted(verdict.spec.type)


@cache
def _is_never_outvoted(assertion_type: str) -> bool:
    return assertion_type in ASSERTIONS and getattr(ASSERTIONS.load(assertion_type), "is_never_outvoted", False)


def _weight(verdict: Verdict) -> float:
    return 1.0 if verdict.spec is None else verdict.spec.weight
