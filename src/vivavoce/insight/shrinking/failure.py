"""The way in which an attempt failed, to compare two failures: the same check, the same fault."""

from collections.abc import Iterator

from msgspec import Struct

from vivavoce.model.case import AssertionSpec
from vivavoce.model.json_value import compact_json
from vivavoce.model.result import UNSUCCESSFUL, Attempt, Status
from vivavoce.model.transcript import NO_ANSWER, EndReason
from vivavoce.model.verdict import Fault, Outcome

_BY_CHECKS = (EndReason.COMPLETED, EndReason.TURN_FAILED)


class Failure(Struct, frozen=True):
    """One way to fail, without the agent's exact words: equal objects are the same failure."""

    status: Status
    fault: Fault | None
    what: str
    """The check as it is written, the checkpoint that was missed, or the kind of error."""


def failures_of(attempt: Attempt) -> tuple[Failure, ...]:
    """Every way in which an attempt failed, the decisive one first; empty when it did not."""
    if attempt.status not in UNSUCCESSFUL:
        return ()
    return tuple(Failure(attempt.status, attempt.fault, what) for what in dict.fromkeys(_ways(attempt)))


def failing_checks(attempt: Attempt) -> tuple[AssertionSpec, ...]:
    """The checks that did not hold; where none failed, those that broke."""
    for outcome in (Outcome.FAILED, Outcome.BROKEN):
        found = tuple(v.spec for v in attempt.all_verdicts() if v.outcome is outcome and v.spec is not None)
        if found:
            return found
    return ()


def name_of(check: AssertionSpec) -> str:
    """A check with all its fields, as text."""
    return f"check {compact_json(check.written or {'type': check.type, **check.fields})}"


def _ways(attempt: Attempt) -> Iterator[str]:
    """In the order in which the outcome of an attempt is decided (engine/attempt/outcome.py)."""
    ending = attempt.transcript.ending
    no_answer = ending is not None and ending.reason in NO_ANSWER
    if not no_answer or attempt.status is Status.FAILED:
        yield from map(name_of, failing_checks(attempt))
    if ending is not None and ending.reason not in _BY_CHECKS:
        yield f"ended: {ending.reason.value} {_kind(ending.detail)}".rstrip()
    for turn in attempt.transcript.turns:
        if turn.error is not None and not no_answer:
            yield f"turn: {turn.reply.status.value} {_kind(turn.error)}"
    for checkpoint in attempt.checkpoints:
        if checkpoint.required and checkpoint.reached_at_turn is None:
            yield f"checkpoint {checkpoint.id}"
    if ending is None:
        yield f"not examined: {_kind(attempt.error or '')}"


def _kind(error: str) -> str:
    """`ValueError: no order 17` → `ValueError`: what follows differs from call to call."""
    return error.partition(":")[0].partition("\n")[0][:80]
