"""Delta debugging: the smallest part of a list that still fails.

A pure function: the caller decides what failing means.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
Fails = Callable[[list[T]], Awaitable[bool]]
"""Whether these items, in their order, still fail. The same items may be asked about twice."""


async def ddmin(items: Sequence[T], fails: Fails[T]) -> list[T]:
    """Returns items that fail together and of which none can be left out, in their order. All `items` must fail.

    Tries the halves first, which is cheap. Then searches each item of the cause by binary search, with about
    `causes * log2(items)` questions. This is enough when adding items never makes a failure go away. The last step,
    classic delta debugging, also works when it does.
    """
    return await _chunks_left_out(await _searched(await _halved(list(items), fails), fails), fails)


async def window(items: Sequence[T], fails: Fails[T]) -> list[T]:
    """Returns a run of neighbouring items that fails, cut as short as a binary search at each end can.

    For long lists of small things (the characters of a text), where `ddmin` would ask too often.
    """
    kept = list(items)
    kept = kept[: await _shortest(len(kept), lambda end: fails(kept[:end]))]
    return kept[len(kept) - await _shortest(len(kept), lambda length: fails(kept[len(kept) - length :])) :]


async def _halved(items: list[T], fails: Fails[T]) -> list[T]:
    """Keeps the half that fails alone, again and again. What matters often lies close together."""
    while len(items) > 1:
        middle = len(items) // 2
        for half in (items[middle:], items[:middle]):
            if await fails(half):
                items = half
                break
        else:
            break
    return items


async def _searched(rest: list[T], fails: Fails[T]) -> list[T]:
    """Finds the items of the cause from the last to the first, each as the end of the shortest prefix that fails."""
    cause: list[T] = []
    while rest:
        if cause and await fails(cause):
            return cause
        end = await _shortest_prefix(rest, cause, fails)
        cause = [rest[end - 1], *cause]
        rest = rest[: end - 1]
    return cause


async def _shortest_prefix(items: list[T], cause: list[T], fails: Fails[T]) -> int:
    return await _shortest(len(items), lambda end: fails([*items[:end], *cause]))


async def _shortest(length: int, fails: Callable[[int], Awaitable[bool]]) -> int:
    """Returns the smallest length (at least 1) that fails, by binary search. The whole length is known to fail."""
    passing, failing = 0, length
    while failing - passing > 1:
        middle = (passing + failing) // 2
        if await fails(middle):
            failing = middle
        else:
            passing = middle
    return failing


async def _chunks_left_out(items: list[T], fails: Fails[T]) -> list[T]:
    """Leaves out halves, then quarters, …, then single items, until no single one can be left out."""
    size = max(1, len(items) // 2)
    while len(items) > 1:
        smaller = await _without_one_chunk(items, size, fails)
        if smaller is not None:
            items = smaller
            size = min(size, max(1, len(items) // 2))
        elif size > 1:
            size //= 2
        else:
            break
    return items


async def _without_one_chunk(items: list[T], size: int, fails: Fails[T]) -> list[T] | None:
    for start in range(0, len(items), size):
        rest = [*items[:start], *items[start + size :]]
        if rest and await fails(rest):
            return rest
    return None
