"""A changed tool call in words."""

import pytest

from vivavoce.reporters.call_change_words import call_change_words
from vivavoce.results.comparison.call_alignment import Called, align_calls, differing


def told(before: list[Called], after: list[Called]) -> list[str]:
    return [call_change_words(change) for change in differing(align_calls(before, after))]


def called(name: str = "refund", turn: int = 1, failed: bool = False, **args: object) -> Called:
    return Called(turn=turn, name=name, args=args, failed=failed)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ([], [called(id=7)], "added: refund({id: 7}) in turn 1"),
        ([called(id=7, turn=2)], [], "dropped: refund({id: 7}) in turn 2"),
        ([], [called(failed=True)], "added: refund(), which failed in turn 1"),
        ([called(amount=20)], [called(amount=250)], "changed: refund: amount 20 → 250"),
        ([called(a=1)], [called(b="x")], 'changed: refund: a 1 left out, b "x" added'),
        ([called()], [called(failed=True)], "changed: refund: fails now"),
        ([called(failed=True)], [called()], "changed: refund: no longer fails"),
        ([called()], [called(turn=2)], "moved: refund(), turn 1 → turn 2"),
        ([called("a"), called("b")], [called("b"), called("a")], "moved: b(), in another order"),
    ],
)
def test_words(before: list[Called], after: list[Called], words: str):
    assert told(before, after)[0] in (words, words.replace("moved: b()", "moved: a()"))


def test_arguments_that_are_no_object_are_shown_whole():
    assert told([Called(turn=1, name="f", args="old")], [Called(turn=1, name="f", args="new")]) == [
        'changed: f: "old" → "new"'
    ]


def test_long_values_are_cut():
    (words,) = told([called(text="x" * 5000)], [called(text="y" * 5000)])
    assert len(words) < 250
