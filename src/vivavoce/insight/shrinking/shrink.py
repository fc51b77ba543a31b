"""A failing case → the smallest one that still fails, part by part."""

from collections.abc import Awaitable, Callable, Iterator

import msgspec
from msgspec import Struct

from vivavoce.insight.shrinking.ddmin import Fails, ddmin, window
from vivavoce.insight.shrinking.pieces import (
    Pieces,
    attachments_of,
    characters_of,
    history_of,
    sentences_of,
    turns_of,
    words_of,
)
from vivavoce.model.case import Case

LONG_WORD = 40
"""A line of one word that is longer is cut at both ends."""
_PARTS = (turns_of, sentences_of, attachments_of, history_of, words_of, characters_of)

Oracle = Callable[[Case], Awaitable[bool]]
"""Whether a candidate still fails the same way. Raises EnoughTried when no more may be tried."""


class EnoughTried(Exception):
    """The budget, the time or the number of candidates is used up."""


class Shrunk(Struct, frozen=True):
    """What came of it."""

    case: Case
    """The smallest case that was seen to fail; the one that was given when nothing could be left out."""
    finished: bool
    """Whether nothing more can be left out; False when it had to stop early."""


async def shrink(case: Case, still_fails: Oracle) -> Shrunk:
    """Takes out turns, then sentences, attachments, earlier messages and words. The case given is known to fail.

    Never returns a case that `still_fails` did not say yes to, but for the one given.
    """
    known = _Known(case, still_fails)
    try:
        for part in _PARTS:
            await _pass(known, part)
    except EnoughTried:
        return Shrunk(known.smallest, finished=False)
    return Shrunk(known.smallest, finished=True)


class _Known:
    """Keeps what was asked, so that no candidate runs twice, and the last one that failed."""

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


async def _pass(known: _Known, part: Callable[[Case], Iterator[Pieces]]) -> None:
    """Shrinks one part of the case; each line of it starts from what the one before left."""
    done: set[tuple[int, int]] = set()
    while (pieces := next((one for one in part(known.smallest) if one.place not in done), None)) is not None:
        done.add(pieces.place)
        if part is not characters_of:
            await _shrink_pieces(known, pieces)
        elif pieces.count > LONG_WORD and all(words.place != pieces.place for words in words_of(known.smallest)):
            await window(range(pieces.count), _asking(known, pieces))


async def _shrink_pieces(known: _Known, pieces: Pieces) -> None:
    if pieces.count and await known.fails(pieces.keep(())):
        return
    if pieces.count > 1:
        await ddmin(range(pieces.count), _asking(known, pieces))


def _asking(known: _Known, pieces: Pieces) -> Fails[int]:
    return lambda kept: known.fails(pieces.keep(kept))
