"""Tool calls side by side: nothing lost, nothing invented, as much as possible left in its place."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from vivavoce.results.comparison.call_alignment import CallDifference, Called, align_calls, differing

A, B, C = (Called(turn=1, name=name, args={"id": 1}) for name in "abc")
SAME, CHANGED, MOVED = CallDifference.SAME, CallDifference.CHANGED, CallDifference.MOVED
ADDED, DROPPED = CallDifference.ADDED, CallDifference.DROPPED
CALLS = st.lists(
    st.builds(
        Called,
        turn=st.integers(1, 2),
        name=st.sampled_from("abc"),
        args=st.sampled_from([None, {}, {"x": 1}, {"x": 2}]),
        failed=st.booleans(),
    ),
    max_size=12,
)


def kinds(before: list[Called], after: list[Called]) -> list[tuple[CallDifference, str]]:
    return [
        (change.kind, (change.after or change.before or A).name) for change in differing(align_calls(before, after))
    ]


def other(call: Called, **args: int) -> Called:
    return Called(turn=call.turn, name=call.name, args=args)


def test_what_differs_is_told_by_its_kind():
    assert kinds([A, B], [A, B]) == []
    assert kinds([A, B], [A, B, C]) == [(ADDED, "c")]
    assert kinds([A, B, C], [A, C]) == [(DROPPED, "b")]
    assert kinds([A, B, C], [A, other(B, id=2), C]) == [(CHANGED, "b")]
    assert kinds([A, B, C], [B, C, A]) == [(MOVED, "a")]


def test_a_changed_call_that_stands_elsewhere_is_not_guessed_at():
    assert kinds([A, B, C], [B, other(A, id=2), C]) == [(DROPPED, "a"), (ADDED, "a")]


def test_a_call_in_another_turn_has_moved():
    assert kinds([A, B], [A, Called(turn=2, name="b", args=B.args)]) == [(MOVED, "b")]


def test_a_call_that_fails_now_has_changed():
    assert kinds([A], [Called(turn=1, name="a", args=A.args, failed=True)]) == [(CHANGED, "a")]


def test_dropped_calls_stand_where_they_used_to():
    found = align_calls([A, B, C], [A, C])
    assert [change.kind for change in found] == [SAME, DROPPED, SAME]


def test_repeated_calls_are_counted():
    assert kinds([A, A, A], [A, A]) == [(DROPPED, "a")]
    assert kinds([A], [A, A, A]) == [(ADDED, "a")] * 2


def test_long_conversations_are_aligned_at_once():
    before = [Called(turn=1, name=f"t{at % 7}", args={"at": at}) for at in range(3000)]
    found = differing(align_calls(before, [before[-1], *before[:-1], A]))
    assert [change.kind for change in found] == [MOVED, ADDED]


@given(CALLS)
def test_a_conversation_is_the_same_as_itself(calls: list[Called]):
    assert {change.kind for change in align_calls(calls, calls)} <= {SAME}


@given(CALLS, CALLS)
def test_every_call_of_both_sides_is_told_exactly_once(before: list[Called], after: list[Called]):
    found = align_calls(before, after)
    assert Counter(map(repr, (c.before for c in found if c.before))) == Counter(map(repr, before))
    assert [c.after for c in found if c.after] == after, "in the order of the later side"
    assert all((c.before is None) == (c.kind is ADDED) for c in found)
    assert all((c.after is None) == (c.kind is DROPPED) for c in found)


@given(CALLS, CALLS)
def test_the_other_way_round_added_and_dropped_change_places(before: list[Called], after: list[Called]):
    there = Counter(change.kind for change in align_calls(before, after))
    back = Counter(change.kind for change in align_calls(after, before))
    assert there[ADDED] - there[DROPPED] == back[DROPPED] - back[ADDED] == len(after) - len(before)


@given(CALLS, CALLS)
def test_kinds_mean_what_they_say(before: list[Called], after: list[Called]):
    for change in align_calls(before, after):
        old, new = change.before, change.after
        if old is None or new is None:
            continue
        assert old.name == new.name
        if change.kind is SAME:
            assert old == new
        elif change.kind is MOVED:
            assert old.args == new.args
        else:
            assert (old.args, old.failed) != (new.args, new.failed)


@given(st.permutations([Called(turn=1, name=name) for name in "abcdef"]))
def test_another_order_of_the_same_calls_only_moves_them(after: list[Called]):
    before = sorted(after, key=lambda call: call.name)
    assert {change.kind for change in align_calls(before, after)} <= {SAME, MOVED}
