"""A failing case → the smallest one that still fails, part by part."""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial

import msgspec
from msgspec import Struct

from vivavoce.insight.shrinking.ddmin import Fails, ddmin, window
from vivavoce.insight.shrinking.pieces import (
    Pieces,
    attachments_of,
    history_of,
    letters_of,
    sentences_of,
    turns_of,
    words_of,
)
from vivavoce.model.case import Case

LONG_WORD = 40
"""A word that is longer is cut at both ends."""
_PARTS = (turns_of, sentences_of, attachments_of, history_of, words_of)

Parts = Callable[[Case], Iterator[Pieces]]
Oracle = Callable[[Case], Awaitable[bool]]
"""Whether a candidate still fails the same way. Raises EnoughTried when no more may be tried."""


class EnoughTried(Exception):
    """The budget, the time or the number of candidates is used up."""


class Shrunk(Struct, frozen=True):
    """The result of shrinking a case."""

    case: Case
    """The smallest case that failed; the given case when nothing could be left out."""
    finished: bool
    """Whether nothing more can be left out; False when it had to stop early."""


async def shrink(case: Case, still_fails: Oracle, *, long_word: int = LONG_WORD) -> Shrunk:
    """Takes out turns, then sentences, attachments, earlier messages and words. The case given is known to fail.

    Words with more letters than `long_word` are cut at both ends: a fuzzed line may be one word of 20,000 letters.
    Returns only a case for which `still_fails` was true, or the given one.
    """
    known = _Known(case, still_fails)
    try:
        for part in _PARTS:
            await _pass(known, part, _shrink_pieces)
        await _pass(known, partial(_long_words, long_word), _cut)
    except EnoughTried:
        return Shrunk(known.smallest, finished=False)
    return Shrunk(known.smallest, finished=True)


class _Known:
    """Remembers the answers, so that no candidate runs twice, and the last candidate that failed."""

    def __init__(self, case: Case, still_fails: Oracle) -> None:
        self.smallest = case
        self._still_fails = still_fails
        self._answers: dict[bytes, bool] = {msgspec.json.encode(case): True}

    async def fails(self, candidate: Case | None) -> bool:
        if candidate is None:
            return False
        key = msgspec.json.encode(candidate)
        if key not in self._answers:
            self._answers[key] = await self._still_fails(candidate)
        if self._answers[key]:
            self.smallest = candidate
        return self._answers[key]


async def _pass(known: _Known, part: Parts, shrunk: Callable[[_Known, Pieces], Awaitable[None]]) -> None:
    """Shrinks one part of the case, line by line, each from the result of the one before."""
    done: set[tuple[int, ...]] = set()
    while (pieces := next((one for one in part(known.smallest) if one.place not in done), None)) is not None:
        done.add(pieces.place)
        await shrunk(known, pieces)


def _long_words(long_word: int, case: Case) -> Iterator[Pieces]:
    return (letters for letters in letters_of(case) if letters.count > long_word)


async def _cut(known: _Known, letters: Pieces) -> None:
    await window(range(letters.count), _asking(known, letters))


async def _shrink_pieces(known: _Known, pieces: Pieces) -> None:
    if pieces.count and await known.fails(pieces.keep(())):
        return
    if pieces.count > 1:
        await ddmin(range(pieces.count), _asking(known, pieces))


def _asking(known: _Known, pieces: Pieces) -> Fails[int]:
    return lambda kept: known.fails(pieces.keep(kept))
