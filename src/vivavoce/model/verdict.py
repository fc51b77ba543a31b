"""What a check found."""

from enum import StrEnum
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.case import AssertionSpec


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    BROKEN = "broken"
    """The check itself did not work: never a pass, negated or not."""
    SKIPPED = "skipped"
    """The check says it does not apply: neither a pass nor a failure."""


_PASSED = Outcome.PASSED
"""A member asked of its class costs ten times as much in Python 3.11, and most verdicts are this one."""


class Verdict(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One assertion's outcome, with what was seen."""

    outcome: Outcome
    reason: str = ""
    """What was seen, in words: "charge_card called 2 times, wanted exactly 1"."""
    expected: Any | UnsetType = UNSET
    actual: Any | UnsetType = UNSET
    negatable: bool = True
    """False when `negate` must not turn this failure into a pass (there was nothing to judge)."""
    score: float | None = None
    details: dict[str, Any] = {}
    """Extras worth keeping: a judge's exchange, votes, the nearest call, the argument diff."""
    spec: AssertionSpec | None = None
    """The check this answers; set by judging."""

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED

    @property
    def unsuccessful(self) -> bool:
        """Failed or broken; a check that does not apply is neither."""
        return self.outcome in (Outcome.FAILED, Outcome.BROKEN)


def passed(reason: str = "", **details: Any) -> Verdict:
    return Verdict(outcome=_PASSED, reason=reason, details=details)


def failed(
    reason: str,
    *,
    expected: Any = UNSET,
    actual: Any = UNSET,
    negatable: bool = True,
    **details: Any,
) -> Verdict:
    return Verdict(
        outcome=Outcome.FAILED,
        reason=reason,
        expected=expected,
        actual=actual,
        negatable=negatable,
        details=details,
    )


def broken(reason: str, **details: Any) -> Verdict:
    return Verdict(outcome=Outcome.BROKEN, reason=reason, details=details)


def skipped(reason: str, **details: Any) -> Verdict:
    return Verdict(outcome=Outcome.SKIPPED, reason=reason, details=details)
