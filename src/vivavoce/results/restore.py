"""A line of a result file → the CaseResult it was written from."""

import msgspec
from msgspec import UNSET, structs

from vivavoce.model.case import AssertionSpec, Case, Checkpoint, Origin, ScriptedTurn
from vivavoce.model.json_value import JsonObject, JsonValue
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Attempt, CaseResult, CheckpointOutcome, RunInfo, Stability, Summary
from vivavoce.model.transcript import Awaiting, Line, Transcript, Turn
from vivavoce.model.verdict import Verdict
from vivavoce.results.shown_case import rebuilt_checkpoints, scripted_lines
from vivavoce.results.verdict_rows import check_verdicts, specs_in, verdicts_of
from vivavoce.results.wire import (
    ATTEMPT,
    CALL,
    CASE,
    CHECKPOINT,
    INFO,
    LINE,
    NOTHING_MORE,
    REPLY,
    CheckpointRow,
    RepeatRow,
    ReplyRow,
    ResultRow,
    StartRow,
    SummaryRow,
    ToolCallRow,
    TurnRow,
)

_AttemptRow = RepeatRow | ResultRow
_Verdicts = tuple[Verdict, ...]
_Specs = tuple[AssertionSpec, ...]


def result_of(row: JsonObject) -> CaseResult:
    """The inverse of `row_of`. Raises msgspec.ValidationError for a row that viva did not write."""
    return restored(msgspec.convert(row, ResultRow))


def check_restorable(row: ResultRow) -> None:
    """Raises msgspec.ValidationError where `restored` would, and where turns are missing or were added."""
    for attempt in attempts_in(row):
        _check_turns(attempt, is_multi_turn=row.case.rules.multi_turn)
        check_verdicts(attempt.assertions)
        check_verdicts(attempt.final_assertions)
        for checkpoint in attempt.checkpoints:
            check_verdicts(checkpoint.assertions)
        if attempt.turns is not UNSET:
            for turn in attempt.turns:
                check_verdicts(turn.assertions)
    _stability_of(row)


def _check_turns(row: _AttemptRow, *, is_multi_turn: bool) -> None:
    taken = len(replies_in(row)) if row.turns is not UNSET else 0 if is_multi_turn else min(row.total_turns, 1)
    if taken != row.total_turns:
        raise msgspec.ValidationError(f"it has {taken} turns and says that they were {row.total_turns}")


def restored(row: ResultRow) -> CaseResult:
    """Raises msgspec.ValidationError when a verdict or the stability in it is invalid, or turns are missing."""
    attempts = attempts_in(row)
    for attempt in attempts:
        _check_turns(attempt, is_multi_turn=row.case.rules.multi_turn)
    verdicts = [_verdicts_in(attempt) for attempt in attempts]
    at = decisive_place(row, attempts)
    case = _case_of(row, attempts[at], *map(_specs, verdicts[at]))
    return CaseResult(
        case=case,
        status=row.status,
        attempts=tuple([_attempt_of(attempt, case, *found) for attempt, found in zip(attempts, verdicts, strict=True)]),
        stability=None if row.ci is None else _stability_of(row),
        index=row.index,
        quarantine=row.quarantine,
    )


def case_of(row: ResultRow) -> Case:
    """The case alone."""
    attempts = attempts_in(row)
    judged = attempts[decisive_place(row, attempts)]
    return _case_of(row, judged, specs_in(judged.assertions), specs_in(judged.final_assertions))


def _case_of(row: ResultRow, judged: _AttemptRow, specs: _Specs, final_specs: _Specs) -> Case:
    """The case; its checks are those that were judged, where the row does not name others."""
    rest = row.case
    return Case(
        id=row.id,
        origin=Origin(row.file, row.line, rest.checks_at),
        name=row.name,
        description=row.description,
        tags=row.tags,
        metadata={} if row.metadata is UNSET else row.metadata,
        expected=row.expected,
        history=row.history,
        turns=_script_of(row, judged),
        assertions=specs if rest.assertions is UNSET else rest.assertions,
        final_assertions=final_specs if rest.final_assertions is UNSET else rest.final_assertions,
        checkpoints=_checkpoints_of(judged) if rest.checkpoints is UNSET else rest.checkpoints,
        **({} if rest is NOTHING_MORE else CASE.given(rest)),
    )


def _script_of(row: ResultRow, judged: _AttemptRow) -> tuple[ScriptedTurn, ...]:
    rest = row.case
    if rest.said_at:
        said = scripted_lines(turn.line for turn in _turns_of(judged, rest))
        shown = tuple(structs.replace(turn, line=at) for turn, at in zip(said, rest.said_at, strict=False))
        return (*shown, *(() if rest.turns is UNSET else rest.turns))
    if rest.turns is not UNSET:
        return rest.turns
    return () if row.input is UNSET else (ScriptedTurn(content=row.input),)


def _checkpoints_of(row: _AttemptRow) -> tuple[Checkpoint, ...]:
    if not row.checkpoints:
        return ()
    return rebuilt_checkpoints(tuple(_checkpoint_of(one) for one in row.checkpoints)) or ()


def _verdicts_in(row: _AttemptRow) -> tuple[_Verdicts, _Verdicts]:
    return verdicts_of(row.assertions), verdicts_of(row.final_assertions)


def decisive_place(row: ResultRow, attempts: tuple[_AttemptRow, ...]) -> int:
    """The place of the attempt that CaseResult.decisive gives."""
    if len(attempts) == 1:
        return 0
    return next((place for place, attempt in enumerate(attempts) if attempt.status is row.status), 0)


def info_of(row: StartRow) -> RunInfo:
    return RunInfo(started_at=row.timestamp, identity=row.environment, **INFO.given(row))


def summary_of(row: SummaryRow) -> Summary:
    return Summary(**{name: getattr(row, name) for name in Summary.__struct_fields__})


def attempts_in(row: ResultRow) -> tuple[_AttemptRow, ...]:
    """A case that was not repeated is its own attempt."""
    return row.run_details or (row,)


def _specs(verdicts: _Verdicts) -> _Specs:
    return tuple([verdict.spec for verdict in verdicts if verdict.spec is not None]) if verdicts else ()


def _attempt_of(row: _AttemptRow, case: Case, verdicts: _Verdicts, final: _Verdicts) -> Attempt:
    return Attempt(
        error=row.error if row.skip_reason is None else row.skip_reason,
        transcript=Transcript(
            history=case.history if row.history_sent is UNSET else row.history_sent,
            turns=_turns_of(row, case),
            ending=row.ending,
        ),
        verdicts=verdicts,
        final_verdicts=final,
        checkpoints=tuple([_checkpoint_of(c) for c in row.checkpoints]) if row.checkpoints else (),
        started_ms=row.test_start_ts,
        duration_ms=row.duration_ms,
        **ATTEMPT.given(row),
    )


def replies_in(row: _AttemptRow) -> tuple[ReplyRow, ...]:
    """The rows of the turns that were taken; a conversation of one plain turn is its own."""
    if row.turns is not UNSET:
        return tuple([turn for turn in row.turns if turn.skip_reason is None])
    return (row,) if row.total_turns else ()


def _turns_of(row: _AttemptRow, case: Case) -> tuple[Turn, ...]:
    if row.turns is not UNSET:
        return tuple(_turn_of(turn, case) for turn in row.turns if turn.skip_reason is None)
    if not row.total_turns:
        return ()
    return (
        Turn(
            number=1,
            line=_line_of(row, case, ()),
            reply=_reply_of(row, warnings=(), logs=""),
            awaiting=_awaiting_of(row),
            started_ms=row.turn_start_ts,
            ended_ms=row.turn_end_ts,
        ),
    )


def _turn_of(row: TurnRow, case: Case) -> Turn:
    verdicts = verdicts_of(row.assertions)
    return Turn(
        number=row.turn,
        line=_line_of(row, case, verdicts),
        reply=_reply_of(row, warnings=row.warnings, logs=row.logs),
        awaiting=_awaiting_of(row),
        verdicts=verdicts,
        reached=row.checkpoints_reached,
        started_ms=row.turn_start_ts,
        ended_ms=row.turn_end_ts,
        error=row.error,
    )


def _awaiting_of(row: ReplyRow) -> Awaiting:
    return Awaiting(row.awaiting_input is True, "completed" if row.awaiting_reason is UNSET else row.awaiting_reason)


def _line_of(row: ReplyRow, case: Case, verdicts: _Verdicts) -> Line:
    return Line(
        content="" if row.input is UNSET else row.input,
        name=row.speaker,
        source="static" if row.input_source is UNSET else row.input_source,
        assertions=_specs(verdicts) if row.checks is UNSET else row.checks,
        options=case.options if row.options is UNSET else row.options,
        **LINE.given(row),
    )


def output_in(row: ReplyRow) -> JsonValue:
    """What the agent answered, as AgentReply.output."""
    said = _said_in(row)
    return row.output if said is None and row.output is not UNSET else said or row.response or ""


def _said_in(row: ReplyRow) -> str | None:
    """The words of an answer that is a text."""
    return row.output if isinstance(row.output, str) and not row.structured else None


def _reply_of(row: ReplyRow, *, warnings: tuple[str, ...], logs: str) -> AgentReply:
    said = _said_in(row)
    return AgentReply(
        text=said or row.response or "",
        data=row.output if said is None else UNSET,
        calls=tuple(map(_call_of, row.tool_calls)) if row.tool_calls else (),
        late_results=tuple(map(_call_of, row.late_results)) if row.late_results else (),
        awaiting=row.awaiting_declared,
        ended_ms=row.agent_ended_ts,
        status=row.exchange,
        error=row.exchange_error,
        warnings=warnings,
        logs=logs,
        **REPLY.given(row),
    )


def _call_of(row: ToolCallRow) -> ToolCall:
    return ToolCall(started_ms=row.start_ts, completed_ms=row.timestamp, **CALL.given(row))


def _checkpoint_of(row: CheckpointRow) -> CheckpointOutcome:
    return CheckpointOutcome(verdicts=verdicts_of(row.assertions), **CHECKPOINT.given(row))


def _stability_of(row: ResultRow) -> Stability | None:
    if row.ci is None:
        return None
    numbers = {name: getattr(row, name) for name in Stability.__struct_fields__ if not name.startswith("ci_")}
    if row.similar_consistency is None:  # written by an older version
        numbers["similar_consistency"] = row.consistency
    return msgspec.convert({**numbers, "ci_low": row.ci[0], "ci_high": row.ci[1]}, Stability)
