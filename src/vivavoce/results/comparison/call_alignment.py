"""The tool calls of two conversations side by side: which are the same, changed, moved, added, dropped. Pure."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonValue

_Key: TypeAlias = Callable[["Called", int], object]
_canonical = msgspec.json.Encoder(order="sorted").encode


class Called(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tool call as far as comparing goes."""

    turn: int
    name: str
    args: JsonValue = None
    failed: bool = False
    """Whether the tool answered with an error."""


class CallDifference(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    """The same tool at the same place with other arguments, or it fails now and did not, or the reverse."""
    MOVED = "moved"
    """The same call with the same arguments at another place in the order, or in another turn."""
    ADDED = "added"
    DROPPED = "dropped"


class CallChange(Struct, frozen=True, kw_only=True, omit_defaults=True):
    kind: CallDifference
    before: Called | None = None
    after: Called | None = None


def align_calls(before: Sequence[Called], after: Sequence[Called]) -> list[CallChange]:
    """Every call of both sides exactly once, in the order of the later side; dropped ones where they used to stand.

    As many calls as possible keep their place (longest common subsequence of name and arguments). Of the rest, equal
    calls are moved ones, and calls of one tool between the same neighbours are changed ones.
    """
    kept = _kept_places(_numbers(before, after))
    pairs = dict(kept)
    gaps_before = _gaps([first for first, _ in kept], len(before))
    gaps_after = _gaps([second for _, second in kept], len(after))
    moved = _paired(before, after, pairs, _identity, _identity)
    changed = _paired(
        before,
        after,
        {**pairs, **moved},
        lambda call, at: (call.name, gaps_before[at]),
        lambda call, at: (call.name, gaps_after[at]),
    )
    placed: list[tuple[float, int, CallChange]] = []
    for found, kind in ((pairs, None), (moved, CallDifference.MOVED), (changed, CallDifference.CHANGED)):
        for first, second in found.items():
            old, new = before[first], after[second]
            placed.append((second, 0, CallChange(kind=kind or _kind_of_kept(old, new), before=old, after=new)))
    taken_before, taken_after = {*pairs, *moved, *changed}, {*pairs.values(), *moved.values(), *changed.values()}
    anchors = [-1, *(second for _, second in kept)]
    for at, call in enumerate(before):
        if at not in taken_before:
            dropped = CallChange(kind=CallDifference.DROPPED, before=call)
            placed.append((anchors[gaps_before[at]] + 0.5, at, dropped))
    for at, call in enumerate(after):
        if at not in taken_after:
            placed.append((at, 0, CallChange(kind=CallDifference.ADDED, after=call)))
    return [change for _, _, change in sorted(placed, key=lambda one: one[:2])]


def differing(changes: Iterable[CallChange]) -> tuple[CallChange, ...]:
    """The changes without the calls that are the same."""
    return tuple(change for change in changes if change.kind is not CallDifference.SAME)


def _numbers(before: Sequence[Called], after: Sequence[Called]) -> tuple[list[int], list[int]]:
    """Both sides as numbers: the same number for the same tool with the same arguments."""
    known: dict[object, int] = {}
    numbered = [[known.setdefault(_identity(call, 0), len(known)) for call in calls] for calls in (before, after)]
    return numbered[0], numbered[1]


def _identity(call: Called, _at: int) -> tuple[object, ...]:
    return call.name, _canonical(call.args)


def _kept_places(numbered: tuple[list[int], list[int]]) -> list[tuple[int, int]]:
    """The places of a longest common subsequence in both sides."""
    first, second = numbered
    if first == second:
        return [(at, at) for at in range(len(first))]
    # Imported here: few comparisons have calls that differ.
    from rapidfuzz.distance import LCSseq

    blocks = LCSseq.editops(first, second).as_matching_blocks()
    return [(block.a + step, block.b + step) for block in blocks for step in range(block.size)]


def _gaps(kept: Sequence[int], length: int) -> list[int]:
    """For each place how many kept ones stand before it: equal numbers are between the same neighbours."""
    gaps: list[int] = []
    passed, places = 0, set(kept)
    for at in range(length):
        gaps.append(passed)
        passed += at in places
    return gaps


def _paired(
    before: Sequence[Called], after: Sequence[Called], taken: Mapping[int, int], key_before: _Key, key_after: _Key
) -> dict[int, int]:
    """Pairs the places not taken yet whose keys are equal, in order."""
    waiting: dict[object, deque[int]] = {}
    taken_after = set(taken.values())
    for at, call in enumerate(after):
        if at not in taken_after:
            waiting.setdefault(key_after(call, at), deque()).append(at)
    pairs: dict[int, int] = {}
    for at, call in enumerate(before):
        if at not in taken and (found := waiting.get(key_before(call, at))):
            pairs[at] = found.popleft()
    return pairs


def _kind_of_kept(before: Called, after: Called) -> CallDifference:
    if before.failed != after.failed:
        return CallDifference.CHANGED
    return CallDifference.SAME if before.turn == after.turn else CallDifference.MOVED
