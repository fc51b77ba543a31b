"""A rater that was asked several times: does it contradict itself, or does it always say the same wrong thing?"""

from collections.abc import Sequence
from typing import NamedTuple


class Disagreement(NamedTuple):
    """How often a rater's answers are not the reference, and why. `noise + bias` is all of it."""

    noise: float
    """Share of answers that differ where most of its answers to the same thing agree: it disagrees with itself."""
    bias: float
    """Share of answers that differ where most of its answers do: asking more often does not help."""
    self_agreement: float
    """The chance that two of its answers about the same thing are the same."""
    things: int
    """How many things were rated more than once."""


def disagreement(reference: Sequence[bool], answers: Sequence[Sequence[bool]]) -> Disagreement | None:
    """Splits the disagreement over the things that were rated at least twice; None when there is none.

    Every thing counts the same, however often it was rated. A tie of the answers counts as noise.
    """
    noise = bias = same = 0.0
    things = 0
    for wanted, given in zip(reference, answers, strict=True):
        total = len(given)
        if total < 2:
            continue
        things += 1
        wrong = sum(answer != wanted for answer in given)
        right = total - wrong
        if wrong > right:
            bias += wrong / total
        else:
            noise += wrong / total
        same += (wrong * (wrong - 1) + right * (right - 1)) / (total * (total - 1))
    return Disagreement(noise / things, bias / things, same / things, things) if things else None
