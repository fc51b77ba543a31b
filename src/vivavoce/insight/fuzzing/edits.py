"""A changed line as a list of small edits, so that edits which do not matter can be undone."""

from collections.abc import Collection
from difflib import SequenceMatcher

from msgspec import Struct


class Edits(Struct, frozen=True):
    """What was done to a line."""

    pieces: tuple[tuple[str, str], ...]
    """(before, after) in order; equal where nothing was changed."""

    @property
    def numbers(self) -> list[int]:
        """The pieces that were changed."""
        return [at for at, (before, after) in enumerate(self.pieces) if before != after]

    def only(self, kept: Collection[int]) -> str:
        """The line with only these edits."""
        return "".join(after if at in kept else before for at, (before, after) in enumerate(self.pieces))


def edits_between(before: str, after: str) -> Edits:
    """The edits that turn `before` into `after`.

    Each letter that replaces another (capitals, look-alikes) is an edit of its own.
    """
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    pieces: list[tuple[str, str]] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "replace" and b - a == d - c:
            pieces += zip(before[a:b], after[c:d], strict=True)
        else:
            pieces.append((before[a:b], after[c:d]))
    return Edits(tuple(pieces))
