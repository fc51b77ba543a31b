"""The outcome of a check."""

from enum import StrEnum
from typing import Any, Literal, get_args

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.case import AssertionSpec
from vivavoce.model.json_value import JsonObject, JsonValue

Fault = Literal["agent", "simulator", "judge", "hook", "target", "test"]
"""Who is to blame when a case did not pass or a check broke."""
FAULTS: tuple[Fault, ...] = get_args(Fault)


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    BROKEN = "broken"
    """The check could not be made: never a pass, negated or not."""
    SKIPPED = "skipped"
    """The check says it does not apply: neither a pass nor a failure."""


_PASSED = Outcome.PASSED
"""Looked up once: access to an enum member is slow in Python 3.11, and most verdicts are this one."""


class Verdict(Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One assertion's outcome, with what was seen."""

    outcome: Outcome
    reason: str = ""
    """What was seen, in words: "charge_card called 2 times, wanted exactly 1"."""
    expected: JsonValue | UnsetType = UNSET
    actual: JsonValue | UnsetType = UNSET
    negatable: bool = True
    """False when `negate` must not turn this failure into a pass (there was nothing to judge)."""
    fault: Fault | None = None
    """Who is to blame for a check that broke; None for every other outcome."""
    score: float | None = None
    details: JsonObject = {}
    """Extras worth keeping: a judge's exchange, votes, the nearest or the wrong call, the argument diff."""
    spec: AssertionSpec | None = None
    """The check this answers; set by judging."""

    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED

    @property
    def only_written(self) -> bool:
        """Whether it only wrote a snapshot that a person must approve: nothing was checked."""
        return self.details.get("snapshot") in ("written", "updated")

    @property
    def unsuccessful(self) -> bool:
        """Failed or broken; a check that does not apply is neither."""
        return self.outcome in (Outcome.FAILED, Outcome.BROKEN)


def passed(reason: str = "", **details: Any) -> Verdict:
    return Verdict(outcome=_PASSED, reason=reason, details=details)


def failed(
    reason: str,
    *,
    expected: JsonValue = UNSET,
    actual: JsonValue = UNSET,
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


def broken(reason: str, *, fault: Fault = "test", **details: Any) -> Verdict:
    return Verdict(outcome=Outcome.BROKEN, reason=reason, fault=fault, details=details)


def skipped(reason: str, **details: Any) -> Verdict:
    return Verdict(outcome=Outcome.SKIPPED, reason=reason, details=details)
