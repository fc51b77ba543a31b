"""One turn of a conversation as a row: the line, the reply, the calls, the verdicts."""

from math import floor

from msgspec import UNSET

from vivavoce.model.case import Case
from vivavoce.model.message import ToolCall
from vivavoce.model.transcript import Turn
from vivavoce.results.verdict_rows import failure_reasons, specs_of, verdict_rows
from vivavoce.results.wire import CALL, LINE, REPLY, ReplyRow, ToolCallRow, TurnRow
from vivavoce.wording.results import turn_status


def turn_row(case: Case, turn: Turn) -> TurnRow:
    """A turn as an entry of `turns`."""
    row = TurnRow(turn=turn.number, status=turn_status(turn))
    row.duration_ms = to_the_microsecond(turn.duration_ms)
    row.error = turn.error
    row.assertions = verdict_rows(turn.verdicts)
    row.assertion_errors = failure_reasons(turn.verdicts)
    row.checkpoints_reached = turn.reached
    row.warnings = turn.reply.warnings
    row.logs = turn.reply.logs
    fill_reply(row, case, turn)
    row.input_source = turn.line.source
    row.awaiting_input = turn.awaiting.awaiting
    row.awaiting_reason = turn.awaiting.reason
    if turn.reply.data is not UNSET and turn.reply.text:
        row.response = turn.reply.text
    return row


def fill_reply(row: ReplyRow, case: Case, turn: Turn) -> None:
    """Writes what was said and done into a turn's row, or into a one-turn case's own."""
    reply, line = turn.reply, turn.line
    REPLY.copy(reply, row)
    row.output = reply.output
    row.structured = isinstance(reply.data, str)
    if reply.calls:
        row.tool_calls = call_rows(reply.calls)
    if reply.late_results:
        row.late_results = call_rows(reply.late_results)
    row.awaiting_declared = reply.awaiting
    row.exchange = reply.status
    row.exchange_error = reply.error
    if turn.awaiting.awaiting:
        row.awaiting_input = True
    if turn.awaiting.reason != "completed":
        row.awaiting_reason = turn.awaiting.reason
    row.turn_start_ts = to_the_microsecond(turn.started_ms)
    row.turn_end_ts = to_the_microsecond(turn.ended_ms)
    if reply.ended_ms is not None:
        row.agent_ended_ts = to_the_microsecond(reply.ended_ms)
    LINE.copy(line, row)
    row.input = line.content
    row.speaker = line.name
    if line.source != "static":
        row.input_source = line.source
    if line.options is not case.options and line.options != case.options:
        row.options = line.options
    if line.assertions != specs_of(turn.verdicts):
        row.checks = line.assertions


def call_rows(calls: tuple[ToolCall, ...]) -> tuple[ToolCallRow, ...]:
    return tuple([_call_row(call) for call in calls])


def _call_row(call: ToolCall) -> ToolCallRow:
    return ToolCallRow(
        start_ts=None if call.started_ms is None else to_the_microsecond(call.started_ms),
        timestamp=None if call.completed_ms is None else to_the_microsecond(call.completed_ms),
        **CALL.given(call),
    )


def to_the_microsecond(milliseconds: float) -> float:
    """Rounded to what is worth reading; ten times faster than `round` on Unix times."""
    return floor(milliseconds * 1000.0 + 0.5) / 1000
