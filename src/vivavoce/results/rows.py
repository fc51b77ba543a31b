"""CaseResult → its line in a result file, and the run's first and last line."""

import msgspec
from msgspec import UNSET, structs

from vivavoce.model.case import Case, ScriptedTurn
from vivavoce.model.json_value import JsonObject
from vivavoce.model.result import Attempt, CaseResult, CheckpointOutcome, RunInfo, Status, Summary
from vivavoce.model.transcript import EndReason, Turn
from vivavoce.results.encoding import encoded_line
from vivavoce.results.shown_case import rebuilt_checkpoints, said_as_written, without_unreached
from vivavoce.results.turn_rows import fill_reply, to_the_microsecond, turn_row
from vivavoce.results.verdict_rows import failure_reasons, specs_of, verdict_rows
from vivavoce.results.wire import (
    ATTEMPT,
    CASE,
    CHECKPOINT,
    INFO,
    NOTHING_MORE,
    CaseRest,
    CheckpointRow,
    RepeatRow,
    ResultRow,
    StartRow,
    SummaryRow,
    TurnRow,
)
from vivavoce.wording.results import NOT_TAKEN

_PASSED, _SKIPPED = Status.PASSED, Status.SKIPPED


def row_of(result: CaseResult) -> JsonObject:
    """The row as plain JSON data; `restore.result_of` gives the result back. Times are kept to the microsecond."""
    return msgspec.json.decode(row_line(result))


def row_line(result: CaseResult) -> bytes:
    """The row as a line of the result file, with the end of the line."""
    return encoded_line(result_row(result))


def start_row(info: RunInfo) -> StartRow:
    return StartRow(timestamp=info.started_at, environment=info.identity, **INFO.given(info))


def summary_row(summary: Summary) -> SummaryRow:
    return SummaryRow(overall_pass_rate=overall_pass_rate(summary), **structs.asdict(summary))


def overall_pass_rate(summary: Summary) -> float:
    """The pass rate as every report shows it: passed cases in percent of the judged ones, with one decimal."""
    return round(summary.pass_rate, 1)


def result_row(result: CaseResult) -> ResultRow:
    """The row as a struct, ready to be encoded."""
    case = result.case
    row = ResultRow(case.id, result.status)
    row.index = result.index
    row.name = case.name
    row.description = case.description
    row.file = case.origin.path
    row.line = case.origin.line
    row.tags = case.tags
    row.expected = case.expected
    row.history = case.history
    row.quarantine = result.quarantine
    if case.metadata:
        row.metadata = case.metadata
    attempt = result.decisive
    if result.stability is None and len(result.attempts) == 1 and attempt.status is result.status:
        row.run = attempt.run
        _fill_attempt(row, case, attempt)
    else:
        _fill_repeats(row, result)
    if row.input is UNSET and case.turns:
        row.input = case.turns[0].content
    row.messages_count = len(case.history) + max(2 * len(attempt.transcript.turns) - 1, 1)
    row.case = _rest_of(case, row, attempt)
    return row


def _fill_repeats(row: ResultRow, result: CaseResult) -> None:
    decisive = result.decisive
    row.fault = decisive.fault
    row.error, row.skip_reason = _why(decisive)
    row.duration_ms = to_the_microsecond(sum(a.duration_ms for a in result.attempts))
    if decisive.transcript.turns:
        row.output = decisive.output
    if (stability := result.stability) is not None:
        numbers = structs.asdict(stability)
        row.ci = (numbers.pop("ci_low"), numbers.pop("ci_high"))
        for name, value in numbers.items():
            setattr(row, name, value)
    details: list[RepeatRow] = []
    for attempt in result.attempts:
        repeat = RepeatRow(attempt.run, attempt.status)
        _fill_attempt(repeat, result.case, attempt)
        details.append(repeat)
    row.run_details = tuple(details)


def _fill_attempt(row: RepeatRow | ResultRow, case: Case, attempt: Attempt) -> None:
    transcript = attempt.transcript
    ATTEMPT.copy(attempt, row)
    row.error, row.skip_reason = _why(attempt)
    row.duration_ms = to_the_microsecond(attempt.duration_ms)
    row.test_start_ts = to_the_microsecond(attempt.started_ms)
    row.test_end_ts = to_the_microsecond(attempt.ended_ms)
    if attempt.verdicts:
        row.assertions = verdict_rows(attempt.verdicts)
    if attempt.final_verdicts:
        row.final_assertions = verdict_rows(attempt.final_verdicts)
    if attempt.checkpoints:
        row.checkpoints = tuple([_checkpoint_row(checkpoint) for checkpoint in attempt.checkpoints])
    row.ending = transcript.ending
    if attempt.status is not _PASSED:
        row.assertion_errors = failure_reasons(attempt.all_verdicts())
    if transcript.history != case.history:
        row.history_sent = transcript.history
    turns = transcript.turns
    if not turns:
        return
    last = turns[-1]
    row.total_turns = len(turns)
    if _stands_flat(case, turns):
        fill_reply(row, case, last)
    else:
        row.turns = (*[turn_row(case, turn) for turn in turns], *_missing_turn(attempt))
        row.usage = attempt.usage
        row.output = last.reply.output
    row.response = last.reply.text


def _stands_flat(case: Case, turns: tuple[Turn, ...]) -> bool:
    """Whether the row can be its one turn: nothing in it that the row's own fields mean differently."""
    turn = turns[0]
    return (
        len(turns) == 1
        and not case.rules.multi_turn
        and not turn.verdicts
        and turn.error is None
        and not turn.reached
        and turn.number == 1
        and not turn.reply.warnings
        and not turn.reply.logs
    )


def _missing_turn(attempt: Attempt) -> tuple[TurnRow, ...]:
    """Seed 004's skipped turn: the line that nobody said. Readers pass over it."""
    ending = attempt.transcript.ending
    if ending is None or ending.reason not in NOT_TAKEN or attempt.status not in (_SKIPPED, Status.ERROR):
        return ()
    why = "simulator error" if ending.reason is EndReason.SIMULATOR_ERROR else ending.detail
    return (TurnRow(turn=len(attempt.transcript.turns) + 1, status=Status.SKIPPED, skip_reason=why),)


def _checkpoint_row(checkpoint: CheckpointOutcome) -> CheckpointRow:
    return CheckpointRow(
        passed=checkpoint.reached_at_turn is not None,
        assertions=verdict_rows(checkpoint.verdicts),
        **CHECKPOINT.given(checkpoint),
    )


def _why(attempt: Attempt) -> tuple[str | None, str | None]:
    """(error, skip_reason): one text, named by what it explains."""
    return (None, attempt.error) if attempt.status is _SKIPPED else (attempt.error, None)


def _rest_of(case: Case, row: ResultRow, judged: Attempt) -> CaseRest:
    shown = () if row.input is UNSET else (ScriptedTurn(content=row.input),)
    said_at: tuple[int, ...] = ()
    turns = UNSET
    not_reached = case.not_reached
    if case.turns != shown:
        said = said_as_written(case, judged.transcript)
        said_at = tuple([turn.line for turn in case.turns[:said]])
        kept, not_reached = without_unreached(case, judged.transcript)
        turns = UNSET if said and said == kept else case.turns[said:kept]
    checkpoints = UNSET if case.checkpoints == rebuilt_checkpoints(judged.checkpoints) else case.checkpoints
    checks = UNSET if case.assertions == specs_of(judged.verdicts) else case.assertions
    final_checks = UNSET if case.final_assertions == specs_of(judged.final_verdicts) else case.final_assertions
    more = CASE.given(case)
    if not_reached is not None:
        more["not_reached"] = not_reached
    if case.origin.checks:
        more["checks_at"] = case.origin.checks
    if more:
        more = {name: value for name, value in more.items() if value != getattr(NOTHING_MORE, name)}
    if not more and not said_at and turns is checkpoints is checks is final_checks is UNSET:
        return NOTHING_MORE
    return CaseRest(
        said_at=said_at, turns=turns, assertions=checks, final_assertions=final_checks, checkpoints=checkpoints, **more
    )
