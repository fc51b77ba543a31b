"""The row of a plain case, which nearly every case is: one run, one turn, nothing unusual about it. The hot path.

It says to the byte what `rows.full_row` would say. A row of few fields, made in one go, costs a quarter of it.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.case import CallOptions, Case, ConversationRules, ScriptedTurn
from vivavoce.model.message import AgentReply, Content, Message, RunStatus, Usage
from vivavoce.model.result import Attempt, CaseResult, Fault, Status
from vivavoce.model.transcript import Ending, Line, Turn
from vivavoce.reporters.turn_rows import call_rows, to_the_microsecond
from vivavoce.reporters.verdict_rows import failure_reasons, specs_of, verdict_rows
from vivavoce.reporters.wire import ToolCallRow, VerdictRow

_NO_OPTIONS, _NO_RULES = CallOptions(), ConversationRules()
# Looked up once: a member of an enum is not an ordinary attribute, and costs more than the rest of a condition.
_PASSED, _SKIPPED = Status.PASSED, Status.SKIPPED
_SUCCESS = RunStatus.SUCCESS


class PlainRow(Struct, omit_defaults=True, gc=False, tag_field="type", tag="result"):
    """Those fields of a wire.ResultRow that a plain case can have, in the same order."""

    id: str
    status: Status
    name: str | None = None
    duration_ms: float = 0.0
    fault: Fault | None = None
    error: str | None = None
    index: int = 0
    file: str = ""
    line: int = 0
    tags: tuple[str, ...] = ()
    expected: Any | UnsetType = UNSET
    messages_count: int = 0
    run: int = 1
    description: str | None = None
    metadata: dict[str, Any] | UnsetType = UNSET
    history: tuple[Message, ...] = ()
    input: Content | UnsetType = UNSET
    output: Any | UnsetType = UNSET
    response: str | UnsetType = UNSET
    tool_calls: tuple[ToolCallRow, ...] = ()
    finish_reason: str | None = None
    texts: tuple[str, ...] = ()
    usage: Usage | None = None
    state: Any | UnsetType = UNSET
    messages: tuple[Message, ...] = ()
    trace: tuple[dict[str, Any], ...] = ()
    turn_start_ts: float = 0.0
    turn_end_ts: float = 0.0
    agent_ended_ts: float | None = None
    test_start_ts: float = 0.0
    test_end_ts: float = 0.0
    total_turns: int = 0
    assertions: tuple[VerdictRow, ...] = ()
    assertion_errors: tuple[str, ...] = ()
    final_assertions: tuple[VerdictRow, ...] = ()
    ending: Ending | None = None
    warnings: tuple[str, ...] = ()
    retries: tuple[str, ...] = ()
    overhead: Usage | None = None
    logs: str = ""


def plain_row(result: CaseResult) -> PlainRow | None:
    """The row, or None when there is more to say than it has fields for."""
    case, attempts = result.case, result.attempts
    attempt = attempts[0]
    turns = attempt.transcript.turns
    if (
        len(attempts) == len(turns) == len(case.turns) == 1
        and result.stability is None
        and attempt.status is result.status
        and _is_plain_turn(turns[0], case)
        and _is_plain_reply(turns[0].reply)
        and _is_plain_attempt(attempt, case)
        and _is_plain_script(case.turns[0], turns[0].line)
        and _says_no_more(case)
    ):
        return _made(result, case, attempt, turns[0], turns[0].reply)
    return None


def _made(result: CaseResult, case: Case, attempt: Attempt, turn: Turn, reply: AgentReply) -> PlainRow:
    started_ms, ended_ms = attempt.started_ms, reply.ended_ms
    return PlainRow(
        # By position, in the order of the fields: names would be searched for, one after the other.
        case.id,
        result.status,
        case.name,
        to_the_microsecond(attempt.duration_ms),
        attempt.fault,
        attempt.error,
        result.index,
        case.origin.path,
        case.origin.line,
        case.tags,
        case.expected,
        len(case.history) + 1,
        attempt.run,
        case.description,
        case.metadata or UNSET,
        case.history,
        turn.line.content,
        reply.text if reply.data is UNSET else reply.data,
        reply.text,
        call_rows(reply.calls) if reply.calls else (),
        reply.finish_reason,
        reply.texts,
        reply.usage,
        reply.state,
        reply.messages,
        reply.trace,
        to_the_microsecond(turn.started_ms),
        to_the_microsecond(turn.ended_ms),
        None if ended_ms is None else to_the_microsecond(ended_ms),
        to_the_microsecond(started_ms),
        to_the_microsecond(started_ms + attempt.duration_ms),
        1,
        verdict_rows(attempt.verdicts),
        () if attempt.status is _PASSED else failure_reasons((*attempt.verdicts, *attempt.final_verdicts)),
        verdict_rows(attempt.final_verdicts),
        attempt.transcript.ending,
        attempt.warnings,
        attempt.retries,
        attempt.overhead,
        attempt.logs,
    )


def _is_plain_turn(turn: Turn, case: Case) -> bool:
    line = turn.line
    return (
        turn.number == 1
        and turn.error is None
        and not (turn.verdicts or turn.reached or turn.awaiting.awaiting)
        and turn.awaiting.reason == "completed"
        and line.source == "static"
        and line.name is None
        and line.note is None
        and not (line.assertions or line.resume or line.goal_achieved)
        and line.options == case.options
    )


def _is_plain_reply(reply: AgentReply) -> bool:
    return (
        reply.status is _SUCCESS
        and reply.error is None
        and reply.awaiting is None
        and reply.input_hint is None
        and not (reply.late_results or reply.interrupts or reply.violations or reply.warnings or reply.logs)
        and (reply.data is UNSET or not isinstance(reply.data, str))
    )


def _is_plain_attempt(attempt: Attempt, case: Case) -> bool:
    """Whether the row's verdicts name the case's checks: they are those that were judged."""
    return (
        attempt.status is not _SKIPPED
        and not attempt.checkpoints
        and attempt.transcript.history == case.history
        and case.assertions == specs_of(attempt.verdicts)
        and case.final_assertions == specs_of(attempt.final_verdicts)
    )


def _is_plain_script(script: ScriptedTurn, line: Line) -> bool:
    """Whether the row's `input` gives it back."""
    return (
        script.content == line.content
        and script.name is None
        and script.options is None
        and not (script.attachments or script.assertions or script.resume or script.line)
    )


def _says_no_more(case: Case) -> bool:
    """Whether none of wire.KEPT_AS_IT_IS is set; each looked at by its name, which is three times faster than all."""
    return (
        case.skip is None
        and case.agent is None
        and case.user is None
        and case.team is None
        and case.locale is None
        and case.simulator is None
        and case.before is None
        and case.after is None
        and case.state is None
        and case.min_pass is None
        and case.runs is None
        and not (case.checkpoints or case.hooks or case.frontend_tools)
        and case.options == _NO_OPTIONS
        and case.rules == _NO_RULES
    )
