"""`min_score`: how much of what was checked must hold."""

from collections.abc import Sequence

from vivavoce.assertions.doubt import is_tool_rule
from vivavoce.model.case import AssertionSpec
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.plugins.assertion_building import build_check


def score(verdicts: Sequence[Verdict]) -> float:
    """Returns the share of the weight that held; 0 when nothing has any weight. Only passes and failures count."""
    counted = [one for one in verdicts if one.outcome in (Outcome.PASSED, Outcome.FAILED) and not one.only_written]
    total = sum(_weight(one) for one in counted)
    return sum(_weight(one) for one in counted if one.passed) / total if total else 0.0


def never_outvoted(verdict: Verdict) -> bool:
    """Whether this failure decides the case whatever else holds: a tool was called that must not be."""
    return verdict.spec is not None and _forbids_calls(verdict.spec)


def is_never_undone(spec: AssertionSpec) -> bool:
    """Whether no further turn can mend this check once it failed: what is forbidden was called or said."""
    return _forbids_calls(spec) or (spec.type == "must_not_match" and not spec.negate)


def _forbids_calls(spec: AssertionSpec) -> bool:
    if spec.negate:
        return is_tool_rule(spec.type)
    return getattr(build_check(spec), "is_never_outvoted", False)


def _weight(verdict: Verdict) -> float:
    return 1.0 if verdict.spec is None else verdict.spec.weight
