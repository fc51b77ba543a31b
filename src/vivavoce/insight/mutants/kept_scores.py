"""The scores of many cases in a temporary file: the survivors of a long run may not fit in memory."""

import weakref
from array import array
from collections.abc import Iterator, Sequence
from tempfile import SpooledTemporaryFile
from typing import overload

import msgspec

from vivavoce.insight.mutants.score import CaseScore

_IN_MEMORY_BYTES = 1 << 20


class KeptScores(Sequence[CaseScore]):
    """A list of scores, of which at most a megabyte is in memory."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(_IN_MEMORY_BYTES, prefix="viva-")  # noqa: SIM115 - lives as long as this
        weakref.finalize(self, self._file.close)
        self._ends = array("Q")
        self._decode = msgspec.json.Decoder(CaseScore).decode

    def add(self, score: CaseScore) -> None:
        line = msgspec.json.encode(score)
        self._file.seek(self._start_of(len(self._ends)))
        self._file.write(line)
        self._ends.append(self._file.tell())

    def __eq__(self, other: object) -> bool:
        """As lists of scores are."""
        return list(self) == list(other) if isinstance(other, KeptScores) else list(self) == other

    __hash__ = None  # pyright: ignore[reportAssignmentType] - it can change

    def __len__(self) -> int:
        return len(self._ends)

    def __iter__(self) -> Iterator[CaseScore]:
        return map(self._at, range(len(self._ends)))

    @overload
    def __getitem__(self, place: int) -> CaseScore: ...
    @overload
    def __getitem__(self, place: slice) -> list[CaseScore]: ...
    def __getitem__(self, place: int | slice) -> CaseScore | list[CaseScore]:
        if isinstance(place, slice):
            return [self._at(at) for at in range(len(self._ends))[place]]
        return self._at(range(len(self._ends))[place])

    def _at(self, at: int) -> CaseScore:
        start = self._start_of(at)
        self._file.seek(start)
        return self._decode(self._file.read(self._ends[at] - start))

    def _start_of(self, at: int) -> int:
        return self._ends[at - 1] if at else 0
