"""The row of a plain case, which nearly every case is: one run, one turn, nothing unusual about it. The hot path.

It says to the byte what `rows.full_row` would say. A row of few fields, made in one go, costs a quarter of it.
"""

from math import floor
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.model.message import AgentReply, Content, ExchangeStatus, Message, Usage
from vivavoce.model.result import Attempt, CaseResult, Fault, Status
from vivavoce.model.transcript import Ending, Line, Turn
from vivavoce.results.turn_rows import call_rows, to_the_microsecond
from vivavoce.results.verdict_rows import answers, failure_reasons, verdict_rows
from vivavoce.results.wire import ToolCallRow, VerdictRow

# The very objects that stand where nothing was set: mostly they are recognised without looking into them.
_NO_OPTIONS, _NO_RULES = Case(id="").options, Case(id="").rules
# Looked up once: a member of an enum is not an ordinary attribute, and costs more than the rest of a condition.
_PASSED, _SKIPPED = Status.PASSED, Status.SKIPPED
_SUCCESS = ExchangeStatus.SUCCESS


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
    shows_calls: bool = True
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
        and attempt.status is not _SKIPPED
        and not attempt.checkpoints
        and attempt.transcript.history == case.history
        and answers(attempt.verdicts, case.assertions)
        and answers(attempt.final_verdicts, case.final_assertions)
        and _says_no_more(case, case.turns[0])
        and _went_as_usual(turns[0], turns[0].line, turns[0].reply, case)
    ):
        return _made(result, case, attempt, turns[0], turns[0].reply)
    return None


def _says_no_more(case: Case, script: ScriptedTurn) -> bool:
    """Whether none of wire.KEPT_AS_IT_IS is set, and the row's `input` gives the script back.

    Each is looked at by its name, which is three times faster than all together.
    """
    if (
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
        and script.name is None
        and script.options is None
        and (case.options is _NO_OPTIONS or case.options == _NO_OPTIONS)
        and (case.rules is _NO_RULES or case.rules == _NO_RULES)
    ):
        return not (
            case.checkpoints
            or case.hooks
            or case.frontend_tools
            or script.attachments
            or script.assertions
            or script.resume
            or script.line
        )
    return False


def _went_as_usual(turn: Turn, line: Line, reply: AgentReply, case: Case) -> bool:
    """Whether the script's line was said as it stands, and the answer was an answer and nothing else."""
    if (
        turn.number == 1
        and turn.error is None
        and turn.awaiting.reason == "completed"
        and line.content == case.turns[0].content
        and line.source == "static"
        and line.name is None
        and line.note is None
        and (line.options is case.options or line.options == case.options)
        and reply.status is _SUCCESS
        and reply.error is None
        and reply.awaiting is None
        and reply.input_hint is None
        and (reply.data is UNSET or not isinstance(reply.data, str))
    ):
        return not (
            turn.verdicts
            or turn.reached
            or turn.awaiting.awaiting
            or line.assertions
            or line.resume
            or line.goal_achieved
            or reply.late_results
            or reply.interrupts
            or reply.violations
            or reply.warnings
            or reply.logs
            or reply.unread
        )
    return False


def _made(result: CaseResult, case: Case, attempt: Attempt, turn: Turn, reply: AgentReply) -> PlainRow:
    began, ended, duration, turn_began, turn_ended = _times(attempt, turn)
    row = PlainRow(
        # By position, in the order of the fields: names would be searched for, one after the other. And not all of
        # them: from the 31st argument on Python makes a list first.
        case.id,
        result.status,
        case.name,
        duration,
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
        reply.shows_calls,
        turn_began,
        turn_ended,
        None if reply.ended_ms is None else to_the_microsecond(reply.ended_ms),
    )
    row.test_start_ts = began
    row.test_end_ts = ended
    row.total_turns = 1
    row.ending = attempt.transcript.ending
    row.warnings = attempt.warnings
    row.retries = attempt.retries
    row.overhead = attempt.overhead
    row.logs = attempt.logs
    if attempt.verdicts:
        row.assertions = verdict_rows(attempt.verdicts)
    if attempt.final_verdicts:
        row.final_assertions = verdict_rows(attempt.final_verdicts)
    if attempt.status is not _PASSED:
        row.assertion_errors = failure_reasons((*attempt.verdicts, *attempt.final_verdicts))
    return row


def _times(attempt: Attempt, turn: Turn) -> tuple[float, float, float, float, float]:
    """Start, end and duration of the attempt, start and end of its turn, each `to_the_microsecond` without a call."""
    began, took = attempt.started_ms, attempt.duration_ms
    return (
        floor(began * 1000.0 + 0.5) / 1000,
        floor((began + took) * 1000.0 + 0.5) / 1000,
        floor(took * 1000.0 + 0.5) / 1000,
        floor(turn.started_ms * 1000.0 + 0.5) / 1000,
        floor(turn.ended_ms * 1000.0 + 0.5) / 1000,
    )
