"""A recorded conversation and a case as it reads now → the Attempt. The judging is the one of a live conversation."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET, structs

from vivavoce.engine.attempt.closing import Closing, judged
from vivavoce.engine.attempt.examiner import Examiner
from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonObject, JsonValue, compact_json, is_object
from vivavoce.model.message import ExchangeStatus, ToolCall, Unread
from vivavoce.model.result import Attempt, Status
from vivavoce.model.transcript import NO_ANSWER, Ending, EndReason, Transcript, Turn
from vivavoce.speakers.composition import MissingInput
from vivavoce.wording.quoting import shorten

ENDED_BY_CHECKS = frozenset({EndReason.TURN_FAILED, EndReason.CHECKPOINTS_REACHED, EndReason.CHECK_BROKE})
_EXCHANGE_FAILED = NO_ANSWER | {EndReason.INTERRUPT_IGNORED}
_PROTOCOL = "protocol: "
STALE = "stale: "
"""The first words of the reason of an attempt whose recording does not fit the case any more."""


async def judged_again(case: Case, recorded: Transcript, closing: Closing) -> Attempt:
    """Judges a recorded conversation by a case whose variables are filled in.

    Turn by turn, as when it was held: a check that would have ended the conversation ends it here. When the old
    checks ended it, the new ones do not, and more would have been said, the attempt is `not_run`.
    """
    strict = any(turn.error is not None and turn.error.startswith(_PROTOCOL) for turn in recorded.turns)
    examiner = Examiner(case, closing.helpers, closing.session_id, strict_protocol=strict, workspace=closing.workspace)
    transcript = Transcript(history=recorded.history)
    ending: Ending | None = None
    for turn in _as_they_came(case, recorded):
        broke = _failure_of(turn, recorded)
        if broke is not None and turn.reply.status is ExchangeStatus.SUCCESS:
            transcript, ending = transcript.plus(turn), broke
            break
        examined, decided = await examiner.examine(turn, transcript)
        transcript, ending = transcript.plus(examined), broke or decided
        if ending is not None:
            break
    if ending is None:
        ending = recorded.ending
        if ending is not None and ending.reason in ENDED_BY_CHECKS:
            ending = await _what_followed(case, transcript)
            if ending is None:
                return not_judged(f"a check ended the recording after turn {len(transcript.turns)}", transcript)
    return await judged(case, transcript.ended(ending or Ending(EndReason.COMPLETED)), examiner.checkpoints(), closing)


def not_judged(why: str, transcript: Transcript) -> Attempt:
    """The attempt of a conversation that cannot be judged by its case as it reads now."""
    return Attempt(status=Status.NOT_RUN, error=f"{STALE}{why}", transcript=transcript)


def _as_they_came(case: Case, recorded: Transcript) -> Iterator[Turn]:
    """The turns before anything was judged, with the checks that the case has for them now."""
    for number, recorded_turn in enumerate(_without_late_results(recorded.turns)):
        turn = _doubted(recorded_turn)
        checks = case.turns[number].assertions if number < len(case.turns) else ()
        line = turn.line if turn.line.assertions == checks else structs.replace(turn.line, assertions=checks)
        error = turn.error if turn.error is None or _failure_of(turn, recorded) is not None else None
        if line is turn.line and error is turn.error and not turn.verdicts and not turn.reached:
            yield turn
        else:
            yield structs.replace(turn, line=line, verdicts=(), reached=(), error=error)


def _doubted(turn: Turn) -> Turn:
    """The turn; with doubt when its messages tell a call that is not among its calls: somebody took calls out."""
    reply = turn.reply
    told = [call for message in reply.messages for call in message.tool_calls or ()]
    if not told:
        return turn
    seen = {call.name for call in (*reply.calls, *reply.late_results)}
    missing = [call for call in told if _name_in(call) not in seen]
    if not missing:
        return turn
    pieces = [Unread(shorten(compact_json(call), 200), "messages of the recorded turn", "call") for call in missing]
    return structs.replace(turn, reply=structs.replace(reply, unread=(*reply.unread, *pieces)))


def _name_in(call: JsonObject) -> JsonValue:
    function = call.get("function")
    return function.get("name") if is_object(function) else call.get("name")


def _failure_of(turn: Turn, recorded: Transcript) -> Ending | None:
    """How the conversation ended when the exchange of this turn failed, else None."""
    ending = recorded.ending
    is_last = turn.number == len(recorded.turns)
    return ending if is_last and ending is not None and ending.reason in _EXCHANGE_FAILED else None


def _without_late_results(turns: tuple[Turn, ...]) -> Sequence[Turn]:
    """The turns as they were when they ended: results that came in a later turn are taken out again."""
    late = [call for turn in turns for call in turn.reply.late_results]
    return [_without(late, turn) for turn in turns] if late else turns


def _without(late: list[ToolCall], turn: Turn) -> Turn:
    if not any(call in late for call in turn.reply.calls):
        return turn
    calls = tuple(_unanswered(call) if call in late else call for call in turn.reply.calls)
    return structs.replace(turn, reply=structs.replace(turn.reply, calls=calls))


def _unanswered(call: ToolCall) -> ToolCall:
    return structs.replace(call, result=UNSET, error=None, completed_ms=call.started_ms)


async def _what_followed(case: Case, transcript: Transcript) -> Ending | None:
    """How the conversation would have ended after its last turn; None when more would have been said."""
    if len(transcript.turns) < case.script_length or case.simulator is not None or case.rules.interactive:
        return None
    if any(turn.line.source != "static" for turn in transcript.turns):
        return None
    if not case.rules.multi_turn:
        return Ending(EndReason.COMPLETED)
    return await MissingInput(case.rules.on_missing_input or "skip").next_line(transcript)
