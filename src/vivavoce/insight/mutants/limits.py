"""Mutants that only a limit notices: a call too many, a slow turn."""

from collections.abc import Callable, Iterator, Sequence

from msgspec import structs

from vivavoce.insight.mutants.mutant import Mutant, RunPool, with_reply
from vivavoce.model.case import AssertionSpec, Case
from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.transcript import Transcript, Turn
from vivavoce.notation.durations import format_ms

TIMES_SLOWER = 10
SLOW_MS = 60_000.0
"""A slow turn takes at least this long, so that the score does not depend on how fast the recorded agent was."""
ADDED_TOOL = "delete_everything"
_MOST_ADDED = 3
_TIME_LIMITS = frozenset({"latency", "max_duration_ms", "max_gap_ms"})


def limit_mutants(transcript: Transcript, case: Case, pool: RunPool) -> Iterator[Mutant]:
    for turn in transcript.turns:
        yield from _added(transcript, turn, _tools_to_add(transcript, case, pool))
        yield _slower(transcript, turn)


def sets_a_limit(case: Case, mutant: Mutant) -> bool:
    """Whether a check of the case limits the time of the mutant's turn.

    For other kinds it does not matter: a mutant beyond the limit is noticed.
    """
    if mutant.kind is not MutantKind.TURN_SLOWER:
        return False
    of_turn = case.turns[mutant.turn - 1].assertions if mutant.turn <= len(case.turns) else ()
    return any(spec.type in _TIME_LIMITS for spec in (*case.assertions, *case.final_assertions, *of_turn))


def _tools_to_add(transcript: Transcript, case: Case, pool: RunPool) -> list[str]:
    """A tool that sounds dangerous, those that the case forbids, and some that only other cases call."""
    called = {call.name for turn in transcript.turns for call in turn.reply.calls}
    forbidden = [name for spec in _specs(case) for name in _forbidden_by(spec)]
    elsewhere = [name for name in pool.tools if name not in called][:_MOST_ADDED]
    return list(dict.fromkeys((ADDED_TOOL, *forbidden, *elsewhere)))


def _specs(case: Case) -> Iterator[AssertionSpec]:
    yield from (*case.assertions, *case.final_assertions)
    for turn in case.turns:
        yield from turn.assertions


def _forbidden_by(spec: AssertionSpec) -> Iterator[str]:
    name = spec.fields.get("name") if spec.type == "forbid" or spec.negate else None
    if isinstance(name, str):
        yield name


def _added(transcript: Transcript, turn: Turn, tools: Sequence[str]) -> Iterator[Mutant]:
    names = list(dict.fromkeys(call.name for call in turn.reply.calls))
    only: JsonObject = {"type": "only", "names": names} if names else {"type": "max_calls", "value": 0}
    for tool in tools:
        call = ToolCall(id="added", name=tool, result=None, started_ms=turn.ended_ms, completed_ms=turn.ended_ms)
        yield Mutant(
            kind=MutantKind.CALL_ADDED,
            turn=turn.number,
            element=tool,
            change=f"{tool} is called",
            before=", ".join(names) or "no call",
            after=", ".join((*names, tool)),
            transcript=with_reply(transcript, turn.number, _calling(call)),
            suggestions=(only, {"type": "forbid", "name": tool}),
        )


def _calling(call: ToolCall) -> Callable[[AgentReply], AgentReply]:
    def change(reply: AgentReply) -> AgentReply:
        return structs.replace(reply, calls=(*reply.calls, call))

    return change


def _slower(transcript: Transcript, slow: Turn) -> Mutant:
    took = slow.duration_ms
    takes = max(SLOW_MS, took * TIMES_SLOWER)
    later = takes - took
    late = [call for turn in transcript.turns for call in turn.reply.late_results]
    turns = tuple(turn if turn.number < slow.number else _delayed(turn, later, slow, late) for turn in transcript.turns)
    return Mutant(
        kind=MutantKind.TURN_SLOWER,
        turn=slow.number,
        element="turn",
        change=f"turn {slow.number} takes {format_ms(takes)}",
        before=format_ms(took),
        after=format_ms(takes),
        transcript=structs.replace(transcript, turns=turns),
        suggestions=({"type": "latency", "max": "30s"},) if took < SLOW_MS / 2 else (),
    )


def _delayed(turn: Turn, later: float, slow: Turn, late: Sequence[ToolCall]) -> Turn:
    """Moves a later turn as a whole, and the slow turn from its last call on.

    A call that got its result in another turn keeps its times, because both turns hold it.
    """
    is_slow = turn is slow
    calls = turn.reply.calls
    moved = tuple(
        _call_later(call, later) if (not is_slow or call is calls[-1]) and call not in late else call for call in calls
    )
    ended = None if turn.reply.ended_ms is None else turn.reply.ended_ms + later
    return structs.replace(
        turn,
        started_ms=turn.started_ms if is_slow else turn.started_ms + later,
        ended_ms=turn.ended_ms + later,
        reply=structs.replace(turn.reply, calls=moved, ended_ms=ended),
    )


def _call_later(call: ToolCall, later: float) -> ToolCall:
    if call.completed_ms is None:
        return call
    return structs.replace(call, completed_ms=call.completed_ms + later)
