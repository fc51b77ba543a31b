"""Calls dropped, doubled, renamed and moved."""

from vivavoce.insight.mutants.calls import call_mutants
from vivavoce.model.message import AgentReply, ToolCall
from vivavoce.model.mutant_kinds import MutantKind
from vivavoce.model.transcript import Line, Transcript, Turn


def conversation(*turns: tuple[str, ...]) -> Transcript:
    """Each turn by the names of the tools it called."""
    made = [
        Turn(
            number=number,
            line=Line(content="go"),
            reply=AgentReply(text="ok", calls=tuple(ToolCall(name=name, args={}) for name in names)),
        )
        for number, names in enumerate(turns, 1)
    ]
    return Transcript(turns=tuple(made))


def names(transcript: Transcript, turn: int = 1) -> tuple[str, ...]:
    return tuple(call.name for call in transcript.turns[turn - 1].reply.calls)


def test_one_call_has_three_mutants():
    found = {one.kind: names(one.transcript) for one in call_mutants(conversation(("pay",)))}
    assert found == {
        MutantKind.CALL_DROPPED: (),
        MutantKind.CALL_DOUBLED: ("pay", "pay"),
        MutantKind.CALL_RENAMED: ("pay_x",),
    }


def test_a_call_moves_before_its_predecessor():
    moved = [one for one in call_mutants(conversation(("find", "pay", "mail"))) if one.kind is MutantKind.CALL_MOVED]
    assert [names(one.transcript) for one in moved] == [("pay", "find", "mail"), ("find", "mail", "pay")]
    assert moved[0].suggestions[0] == {"type": "sequence", "calls": ["find", "pay"]}


def test_two_calls_of_the_same_tool_change_places_unseen():
    kinds = {one.kind for one in call_mutants(conversation(("pay", "pay")))}
    assert MutantKind.CALL_MOVED not in kinds


def test_the_suggested_count_is_that_of_the_turn_and_of_the_whole_conversation():
    dropped = next(one for one in call_mutants(conversation(("pay",), ("pay", "pay"))) if one.turn == 2)
    assert [check["count"] for check in dropped.suggestions] == [{"exact": 2}, {"exact": 3}]
    alone = next(iter(call_mutants(conversation(("pay",)))))
    assert [check["count"] for check in alone.suggestions] == [{"exact": 1}]


def test_only_its_own_turn_changes():
    for one in call_mutants(conversation(("find",), ("pay",))):
        other = 3 - one.turn
        assert names(one.transcript, other) == names(conversation(("find",), ("pay",)), other)


def test_what_was_and_what_is():
    dropped = next(iter(call_mutants(conversation(("pay",)))))
    assert (dropped.change, dropped.before, dropped.after) == ("pay is not called", "pay", "no call")


def test_a_result_that_came_in_a_later_turn_changes_with_its_call():
    pay = ToolCall(id="p", name="pay", args={}, result="ok")
    asked = Turn(number=1, line=Line(content="pay"), reply=AgentReply(calls=(pay,)))
    answered = Turn(number=2, line=Line(content="yes"), reply=AgentReply(text="done", late_results=(pay,)))
    found = {one.kind: one.transcript for one in call_mutants(Transcript(turns=(asked, answered)))}
    for transcript in found.values():
        first, second = transcript.turns
        assert second.reply.late_results == first.reply.calls
    assert names(found[MutantKind.CALL_DROPPED]) == ()
    again = found[MutantKind.CALL_DOUBLED].turns[0].reply.calls
    assert len({call.id for call in again}) == 2
