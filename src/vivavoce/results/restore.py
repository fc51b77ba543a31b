"""A line of a result file → the CaseResult it was written from."""

from typing import Any

import msgspec
from msgspec import UNSET

from vivavoce.model.case import AssertionSpec, Case, Origin, ScriptedTurn
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.result import Attempt, CaseResult, CheckpointOutcome, RunInfo, Stability, Summary
from vivavoce.model.transcript import Awaiting, Line, Transcript, Turn
from vivavoce.model.verdict import Verdict
from vivavoce.results.verdict_rows import specs_of, verdicts_of
from vivavoce.results.wire import (
    KEPT_AS_IT_IS,
    CheckpointRow,
    OnceRow,
    ReplyRow,
    ResultRow,
    StartRow,
    SummaryRow,
    ToolCallRow,
    TurnRow,
)


def result_of(row: dict[str, Any]) -> CaseResult:
    """The inverse of `row_of`. Raises msgspec.ValidationError when the row is none of ours."""
    return restored(msgspec.convert(row, ResultRow))


def restored(row: ResultRow) -> CaseResult:
    once: tuple[OnceRow, ...] = (row,) if row.run_details is UNSET else row.run_details
    case = _case_of(row, once)
    return CaseResult(
        case=case,
        status=row.status,
        attempts=tuple(_attempt_of(run, case) for run in once),
        stability=_stability_of(row),
        index=row.index,
    )


def info_of(row: StartRow) -> RunInfo:
    return RunInfo(
        run_id=row.run_id,
        started_at=row.timestamp,
        agent_id=row.agent_id,
        connector=row.connector,
        identity=row.environment,
        inputs=row.inputs,
        total_cases=row.total_cases,
        runs_per_case=row.runs_per_case,
        version=row.version,
        command=row.command,
        project_root=row.project_root,
        shard=row.shard,
        cases_of_all_shards=row.cases_of_all_shards,
    )


def summary_of(row: SummaryRow) -> Summary:
    return Summary(**{name: getattr(row, name) for name in Summary.__struct_fields__})


def _case_of(row: ResultRow, once: tuple[OnceRow, ...]) -> Case:
    rest = row.case
    judged = next((run for run in once if run.status == row.status), once[0])
    script = () if row.input is UNSET else (ScriptedTurn(content=row.input),)
    return Case(
        id=row.id,
        origin=Origin(row.file, row.line),
        name=row.name,
        description=row.description,
        tags=row.tags,
        metadata={} if row.metadata is UNSET else row.metadata,
        expected=row.expected,
        history=row.history,
        turns=script if rest.turns is UNSET else rest.turns,
        assertions=_judged(judged.assertions) if rest.assertions is UNSET else rest.assertions,
        final_assertions=(
            _judged(judged.final_assertions) if rest.final_assertions is UNSET else rest.final_assertions
        ),
        **{name: getattr(rest, name) for name in KEPT_AS_IT_IS},
    )


def _judged(rows: tuple[dict[str, Any], ...]) -> tuple[AssertionSpec, ...]:
    return _specs(verdicts_of(rows))


def _specs(verdicts: tuple[Verdict, ...]) -> tuple[AssertionSpec, ...]:
    return tuple(spec for spec in specs_of(verdicts) if spec is not None)


def _attempt_of(row: OnceRow, case: Case) -> Attempt:
    return Attempt(
        status=row.status,
        run=row.run,
        fault=row.fault,
        error=row.error if row.skip_reason is None else row.skip_reason,
        transcript=Transcript(
            history=case.history if row.history_sent is UNSET else row.history_sent,
            turns=_turns_of(row, case),
            ending=row.ending,
        ),
        verdicts=verdicts_of(row.assertions),
        final_verdicts=verdicts_of(row.final_assertions),
        checkpoints=tuple(_checkpoint_of(c) for c in row.checkpoints),
        started_ms=row.test_start_ts,
        duration_ms=row.duration_ms,
        warnings=row.warnings,
        retries=row.retries,
        overhead=row.overhead,
        logs=row.logs,
    )


def _turns_of(row: OnceRow, case: Case) -> tuple[Turn, ...]:
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


def _line_of(row: ReplyRow, case: Case, verdicts: tuple[Verdict, ...]) -> Line:
    return Line(
        content="" if row.input is UNSET else row.input,
        name=row.speaker,
        source="static" if row.input_source is UNSET else row.input_source,
        assertions=_specs(verdicts) if row.checks is UNSET else row.checks,
        options=case.options if row.options is UNSET else row.options,
        resume=row.resume,
        goal_achieved=row.goal_achieved,
        note=row.note,
    )


def _reply_of(row: ReplyRow, *, warnings: tuple[str, ...], logs: str) -> AgentReply:
    said = row.output if isinstance(row.output, str) and not row.structured else None
    return AgentReply(
        text=said or row.response or "",
        texts=row.texts,
        data=row.output if said is None else UNSET,
        calls=tuple(_call_of(call) for call in row.tool_calls),
        awaiting=row.awaiting_declared,
        input_hint=row.input_hint,
        interrupts=row.interrupts,
        state=row.state,
        ended_ms=row.agent_ended_ts,
        finish_reason=row.finish_reason,
        usage=row.usage,
        status=row.exchange,
        error=row.exchange_error,
        warnings=warnings,
        violations=row.violations,
        late_results=tuple(_call_of(call) for call in row.late_results),
        messages=row.messages,
        trace=row.trace,
        logs=logs,
        unread=row.unread,
        shows_calls=row.shows_calls,
    )


def _call_of(row: ToolCallRow) -> ToolCall:
    return ToolCall(
        id=row.id,
        name=row.name,
        args=row.args,
        result=row.result,
        error=row.error,
        started_ms=row.start_ts,
        completed_ms=row.timestamp,
        frontend=row.frontend,
    )


def _checkpoint_of(row: CheckpointRow) -> CheckpointOutcome:
    return CheckpointOutcome(
        id=row.id,
        description=row.description,
        required=row.required,
        reached_at_turn=row.reached_at_turn,
        nearest_miss=row.nearest_miss,
        verdicts=verdicts_of(row.assertions),
    )


def _stability_of(row: ResultRow) -> Stability | None:
    if row.ci is None:
        return None
    numbers = {name: getattr(row, name) for name in Stability.__struct_fields__ if not name.startswith("ci_")}
    return msgspec.convert({**numbers, "ci_low": row.ci[0], "ci_high": row.ci[1]}, Stability)
