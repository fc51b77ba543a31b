"""The end of a conversation, live or recorded: the checks over all turns, the ruling, the Attempt."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, structs

from vivavoce.engine.attempt.judging import assertions_of, judge
from vivavoce.engine.attempt.outcome import NORMAL_ENDINGS, rule
from vivavoce.engine.attempt.scoring import is_never_undone
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, CheckpointOutcome
from vivavoce.model.transcript import EndReason, Transcript, Turn
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.model.workspace import Workspace
from vivavoce.protocols import Evidence, Helpers

_CUT_OFF = frozenset({"length", "content_filter"})
_GIVEN_IT = frozenset(("script",))
"""Checks that are handed the case's `expected`."""
_UNJUDGED = "`expected` is not judged because the case has assertions: add {type: equals, value: …} to them instead"


class Closing(Struct, frozen=True, kw_only=True, gc=False):
    """What a finished conversation is judged with."""

    helpers: Helpers
    timeout_s: float
    """The time limit that the message of a timeout names."""
    session_id: str = ""
    workspace: Workspace | None = None


async def judged(
    case: Case, transcript: Transcript, checkpoints: tuple[CheckpointOutcome, ...], closing: Closing
) -> Attempt:
    """Returns the attempt. The checks of the whole case run when the conversation came to a normal end.

    Where nobody had the next line, only failures count that no further line could mend.
    """
    verdicts: tuple[Verdict, ...] = ()
    final: tuple[Verdict, ...] = ()
    turns = transcript.turns
    ended = None if transcript.ending is None else transcript.ending.reason
    is_open = ended is EndReason.MISSING_INPUT_SKIP
    if ended in NORMAL_ENDINGS or is_open:
        evidence = Evidence(
            turns=turns,
            output=turns[-1].reply.output if turns else None,
            scope="case",
            case=case,
            history=transcript.history,
            session_id=closing.session_id,
            workspace=closing.workspace,
        )
        over_all, at_the_end = assertions_of(case), case.final_assertions
        if is_open:
            over_all, at_the_end = (tuple(filter(is_never_undone, specs)) for specs in (over_all, at_the_end))
        verdicts = await judge(over_all, evidence, closing.helpers)
        if at_the_end:
            final = await judge(at_the_end, structs.replace(evidence, scope="final"), closing.helpers)
        if is_open:
            verdicts, final = (tuple(filter(_has_failed, of)) for of in (verdicts, final))
    ruling = rule(case, transcript, transcript.verdicts + verdicts + final, checkpoints, closing.timeout_s)
    warnings = _warnings(turns)
    if ruling.warning is not None:
        warnings = (ruling.warning, *warnings)
    if case.expected is not UNSET and _is_unjudged(case):
        warnings = (_UNJUDGED, *warnings)
    return Attempt(
        status=ruling.status,
        fault=ruling.fault,
        error=ruling.error,
        transcript=transcript,
        verdicts=verdicts,
        final_verdicts=final,
        checkpoints=checkpoints,
        warnings=warnings,
    )


def _has_failed(verdict: Verdict) -> bool:
    return verdict.outcome is Outcome.FAILED


def _is_unjudged(case: Case) -> bool:
    """Whether nothing looks at the case's `expected`: its assertions decide instead."""
    return bool(case.assertions) and not any(spec.type in _GIVEN_IT for spec in case.assertions)


def _warnings(turns: tuple[Turn, ...]) -> tuple[str, ...]:
    said: tuple[str, ...] = ()
    for turn in turns:
        reply = turn.reply
        if reply.warnings or reply.violations or reply.unread or not reply.text or reply.finish_reason in _CUT_OFF:
            said += tuple(f"turn {turn.number}: {text}" for text in _warnings_of(turn))
    return said


def _warnings_of(turn: Turn) -> Iterator[str]:
    reply = turn.reply
    if reply.is_silent and turn.error is None:
        yield "the agent answered nothing"
    if reply.finish_reason in _CUT_OFF:
        yield f"the answer was cut off (finish_reason: {reply.finish_reason})"
    yield from reply.warnings
    for piece in reply.unread:
        if not piece.is_name:
            yield f"not read from the answer: {piece}"
    for violation in reply.violations:
        if violation not in (turn.error or ""):  # a strict run has it as the reason already
            yield f"protocol: {violation}"
