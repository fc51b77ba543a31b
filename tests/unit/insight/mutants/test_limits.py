"""Changes that only limits notice: a call too many, a slow turn."""

from msgspec import structs

from vivavoce.insight.mutants.limits import ADDED_TOOL, SLOW_MS, limit_mutants, sets_a_limit
from vivavoce.insight.mutants.mutant import Mutant, RunPool
from vivavoce.model.case import AssertionSpec, Case, ScriptedTurn
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.transcript import Line, Transcript, Turn

FIND = ToolCall(name="find", args={}, started_ms=100.0, completed_ms=200.0)
PAY = ToolCall(name="pay", args={}, started_ms=200.0, completed_ms=400.0)
FIRST = Turn(
    number=1,
    line=Line(content="pay"),
    reply=AgentReply(text="paid", calls=(FIND, PAY)),
    started_ms=0.0,
    ended_ms=500.0,
)
SECOND = Turn(number=2, line=Line(content="bye"), reply=AgentReply(text="bye"), started_ms=600.0, ended_ms=700.0)
TALK = Transcript(turns=(FIRST, SECOND))
CASE = Case(id="T1")
NO_POOL = RunPool()


def mutants(
    kind: MutantKind, transcript: Transcript = TALK, case: Case = CASE, pool: RunPool = NO_POOL
) -> list[Mutant]:
    return [one for one in limit_mutants(transcript, case, pool) if one.kind is kind]


def test_a_dangerous_tool_forbidden_ones_and_those_of_other_cases_are_called():
    forbids = AssertionSpec(type="forbid", fields={"name": "close_account"})
    negated = AssertionSpec(type="tool_called", fields={"name": "mail"}, negate=True)
    case = Case(id="T1", assertions=(forbids,), turns=(ScriptedTurn(content="pay", assertions=(negated,)),))
    pool = RunPool(tools=("find", "a", "b", "c", "d"))
    added = [one.element for one in mutants(MutantKind.CALL_ADDED, case=case, pool=pool) if one.turn == 1]
    assert added == [ADDED_TOOL, "close_account", "mail", "a", "b", "c"]


def test_what_an_added_call_is_noticed_by():
    first, second = (one for one in mutants(MutantKind.CALL_ADDED))
    assert first.suggestions[0] == {"type": "only", "names": ["find", "pay"]}
    assert second.suggestions[0] == {"type": "max_calls", "value": 0}
    assert [call.name for call in first.transcript.turns[0].reply.calls] == ["find", "pay", ADDED_TOOL]


def test_a_slow_turn_moves_all_that_follows():
    slow, _ = mutants(MutantKind.TURN_SLOWER)
    first, second = slow.transcript.turns
    assert (first.started_ms, first.ended_ms) == (0.0, SLOW_MS)
    assert [call.completed_ms for call in first.reply.calls] == [200.0, 400.0 + SLOW_MS - 500.0]
    assert second.duration_ms == SECOND.duration_ms
    assert second.started_ms == SECOND.started_ms + SLOW_MS - 500.0


def test_a_turn_that_was_slow_already_gets_ten_times_as_slow_and_no_suggestion():
    long = structs.replace(FIRST, ended_ms=2 * SLOW_MS)
    slow, *_ = mutants(MutantKind.TURN_SLOWER, Transcript(turns=(long,)))
    assert slow.transcript.turns[0].duration_ms == 20 * SLOW_MS
    assert slow.suggestions == ()


def test_a_call_that_was_answered_in_a_later_turn_is_the_same_in_both():
    late = structs.replace(PAY, result="ok", completed_ms=650.0)
    asked = structs.replace(FIRST, reply=AgentReply(calls=(FIND, late)))
    answered = structs.replace(SECOND, reply=AgentReply(text="done", late_results=(late,)))
    for slow in mutants(MutantKind.TURN_SLOWER, Transcript(turns=(asked, answered))):
        first, second = slow.transcript.turns
        assert first.reply.calls[-1] == second.reply.late_results[0]


def test_only_a_check_of_time_limits_a_slow_turn():
    slow, second = mutants(MutantKind.TURN_SLOWER)
    latency = AssertionSpec(type="latency", fields={"max": "1s"})
    assert not sets_a_limit(CASE, slow)
    assert sets_a_limit(Case(id="T1", assertions=(latency,)), slow)
    of_first = Case(id="T1", turns=(ScriptedTurn(content="pay", assertions=(latency,)),))
    assert sets_a_limit(of_first, slow)
    assert not sets_a_limit(of_first, second)
    added = mutants(MutantKind.CALL_ADDED)[0]
    assert not sets_a_limit(Case(id="T1", assertions=(latency,)), added)
