"""Transcript and verdicts → status, fault and reason. Pure, and the only place that decides these."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from vivavoce.engine.attempt.scoring import never_outvoted, score
from vivavoce.model.case import Case
from vivavoce.model.message import Interrupt
from vivavoce.model.result import CheckpointOutcome, Status
from vivavoce.model.transcript import Ending, EndReason, Transcript
from vivavoce.model.verdict import Fault, Outcome, Verdict
from vivavoce.notation.durations import format_duration
from vivavoce.wording.plurals import joined_reasons

BETWEEN_TURNS = "while the next line was awaited"
NORMAL_ENDINGS = frozenset(
    {EndReason.COMPLETED, EndReason.GOAL_ACHIEVED, EndReason.CHECKPOINTS_REACHED, EndReason.ENDED_BY_HUMAN}
)


class Ruling(Struct, frozen=True):
    status: Status
    fault: Fault | None = None
    error: str | None = None
    warning: str | None = None
    """What a person should know of a case that passed all the same."""


_A_PASS = Ruling(Status.PASSED)
# Members asked of their class cost ten times as much in Python 3.11; every case comes here.
_PASSED = Outcome.PASSED
_COMPLETED = EndReason.COMPLETED


def rule(
    case: Case,
    transcript: Transcript,
    verdicts: Sequence[Verdict],
    checkpoints: Sequence[CheckpointOutcome],
    timeout_s: float,
) -> Ruling:
    """Returns the case's status. Failed checks come first, then what broke, then skips."""
    not_passed = [v for v in verdicts if v.outcome is not _PASSED]
    warning = None
    if not_passed and (failures := [v for v in not_passed if v.outcome is Outcome.FAILED]):
        reached = None if case.min_score is None else _score(case.min_score, verdicts, failures)
        if reached is None or not reached.enough:
            words = _joined(failures)
            return Ruling(Status.FAILED, "agent", words if reached is None else f"{reached.words}: {words}")
        warning = f"{reached.words}; did not hold: {_joined(failures)}"
        not_passed = [v for v in not_passed if v.outcome is not Outcome.FAILED]
    ending = transcript.ending or Ending(_COMPLETED)
    by_ending = None if ending.reason is _COMPLETED else _by_ending(case, transcript, checkpoints, timeout_s)
    if by_ending is not None and by_ending.status is not Status.SKIPPED:
        return by_ending
    if not_passed and (broken := [v for v in not_passed if v.outcome is Outcome.BROKEN]):
        return Ruling(Status.ERROR, broken[0].fault, _joined(broken))
    for turn in transcript.turns:
        if turn.error is not None:
            return Ruling(Status.FAILED, "agent", f"turn {turn.number}: {turn.error}")
    if checkpoints and (missing := [c.id for c in checkpoints if c.required and c.reached_at_turn is None]):
        return Ruling(Status.FAILED, "agent", f"missing checkpoints: {', '.join(missing)} ({_why_over(ending)})")
    if by_ending is not None:
        return by_ending
    if transcript.turns and (interrupts := transcript.turns[-1].reply.interrupts):
        return Ruling(Status.FAILED, "test", _left_open(interrupts))
    # The remaining verdicts do not apply.
    if not_passed:
        return Ruling(Status.SKIPPED, None, _joined(not_passed))
    return _A_PASS if warning is None else Ruling(Status.PASSED, warning=warning)


class _Reached(NamedTuple):
    enough: bool
    words: str


def _score(wanted: float, verdicts: Sequence[Verdict], failures: Sequence[Verdict]) -> _Reached:
    if any(map(never_outvoted, failures)):
        return _Reached(False, "a forbidden call is never outvoted")
    reached = score(verdicts)
    return _Reached(reached >= wanted, f"score {reached:.2f}, min_score {wanted:g}")


def _why_over(ending: Ending) -> str:
    if ending.reason is EndReason.GOAL_ACHIEVED:
        return "goal achieved"
    return "conversation ended" if ending.reason in NORMAL_ENDINGS else ending.detail


def why_broken(ending: Ending, timeout_s: float) -> str:
    """Returns why an exchange failed, in seed 004's words: for the turn, and for the case."""
    if ending.reason is EndReason.TIMEOUT:
        after = f"timeout after {format_duration(timeout_s)}"
        return f"{after}: {ending.detail}" if ending.detail else after
    if ending.reason is EndReason.AGENT_ERROR:
        return f"agent error: {ending.detail}"
    return ending.detail or ending.reason.value


def _by_ending(
    case: Case, transcript: Transcript, checkpoints: Sequence[CheckpointOutcome], timeout_s: float
) -> Ruling | None:
    ending = transcript.ending
    assert ending is not None
    reason, detail = ending.reason, ending.detail
    turn = len(transcript.turns)
    if reason is EndReason.TIMEOUT:
        # Only a simulator can hang between turns: a person's time is not counted.
        if detail == BETWEEN_TURNS:
            return Ruling(Status.TIMEOUT, "simulator", f"timeout after {format_duration(timeout_s)} {detail}")
        return Ruling(Status.TIMEOUT, "agent", why_broken(ending, timeout_s))
    if reason is EndReason.AGENT_ERROR:
        if case.checkpoints:
            return Ruling(Status.ERROR, "agent", f"agent error at turn {turn}: {detail}")
        place = f" (turn {turn})" if case.rules.multi_turn or turn > 1 else ""
        return Ruling(Status.ERROR, "agent", f"{why_broken(ending, timeout_s)}{place}")
    if reason is EndReason.TARGET_ERROR:
        return Ruling(Status.ERROR, "target", detail)
    if reason is EndReason.TEST_ERROR:
        return Ruling(Status.ERROR, "test", detail)
    if reason is EndReason.CHECK_BROKE:
        broken = next(v for c in checkpoints for v in c.verdicts if v.outcome is Outcome.BROKEN)
        return Ruling(Status.ERROR, broken.fault, detail)
    if reason is EndReason.INTERRUPT_IGNORED:
        return Ruling(Status.FAILED, "test", detail)
    if reason is EndReason.MAX_TURNS:
        return Ruling(Status.FAILED, "agent", f"max turns ({turn}) exceeded")
    if reason is EndReason.MISSING_INPUT_FAIL:
        return Ruling(Status.FAILED, "test", detail)
    if reason is EndReason.MISSING_INPUT_SKIP or reason is EndReason.SKIPPED_BY_HUMAN:
        return Ruling(Status.SKIPPED, None, detail)
    if reason is EndReason.SIMULATOR_ERROR:
        if case.checkpoints:
            return Ruling(Status.FAILED, "simulator", f"simulator error: {detail}")
        return Ruling(Status.ERROR, "simulator", f"simulator error: {detail}")
    return None


def _left_open(interrupts: Sequence[Interrupt]) -> str:
    names = ", ".join(i.reason or i.tool_name or i.id for i in interrupts)
    return f"interrupt left open: {names} (answer it with `resume:` in a further turn)"


def _joined(verdicts: Sequence[Verdict]) -> str:
    return joined_reasons([verdict.reason for verdict in verdicts])
