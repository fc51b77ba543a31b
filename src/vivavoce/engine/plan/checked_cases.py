"""Checked cases, kept in a temporary file until they run: a case file that is edited meanwhile changes nothing."""

import os
import tempfile
import weakref
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import BinaryIO

import msgspec

from vivavoce.engine.plan.case_names import CaseNames
from vivavoce.model.case import Case
from vivavoce.project.variables import may_hold_variables
from vivavoce.results.encoding import encoded

MOST_BYTES = 256 * 1024 * 1024
"""The most bytes to keep. When there are more, the sources are read a second time instead."""

_AT_ONCE = 16 * 1024
_LIST, _LENGTH_BYTES = b"\xdd", 4
"""How msgpack begins a list."""
_BEGINNING_BYTES = len(_LIST) + _LENGTH_BYTES


class CheckedCases:
    """Plain cases in the order they were added; all but the last few in a file that disappears with this process.

    They are written and decoded by the hundred, which takes a fifth of what it takes to read, understand and check
    what an author wrote. Without room for any byte only their `names` are kept.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._encode_into = msgspec.msgpack.Encoder().encode_into
        self._file: BinaryIO | None = None
        self._block_ends: list[int] = []
        """The end of each block of cases in the file."""
        self._block_contents: list[int] = []
        """The same without the beginnings of blocks."""
        self._written = 0
        self._case_ends = array("Q")
        """The end of each case, in the bytes of all blocks without their beginnings."""
        self._start_block()
        self.complete = most_bytes > 0
        """False when a case could not be kept: then all cases are read again from their sources."""
        self.hold_variables = False
        """Whether any of them may have a `${NAME}` to be filled in."""
        self.names = CaseNames()
        """What the cases name, also those that could not be kept."""

    def add(self, case: Case) -> None:
        if not self.complete:
            self.names.note(case, encoded(case))
            return
        try:
            start = len(self._waiting)
            self._encode_into(case, self._waiting, -1)
            self._waiting_cases += 1
            self._case_ends.append(self._written + len(self._waiting))
            if self._waiting.find(b"${", start) >= 0:
                # A number may look like it in msgpack: line 9,339 of a file is written `${`.
                self.hold_variables = self.hold_variables or may_hold_variables(case)
            self.names.note(case, self._waiting, start)
            if len(self._waiting) > _AT_ONCE:
                self._write()
        except (OSError, TypeError, ValueError, OverflowError):
            # The disk is full, or a number is too big for msgpack.
            self._give_up()
            self.names.note(case, encoded(case))

    def __iter__(self) -> Iterator[Case]:
        """Yields the cases from the first on. Can be called several times."""
        return chain.from_iterable(self._blocks())

    def in_order(self, places: Sequence[int]) -> Iterator[Case]:
        """Yields the cases at these places, each read by itself: no more than one is in memory."""
        decode = msgspec.msgpack.Decoder(Case).decode
        for place in places:
            start = self._case_ends[place - 1] if place else 0
            yield decode(self._bytes(start, self._case_ends[place]))

    def _bytes(self, start: int, end: int) -> bytes:
        """The bytes of a case. Cases do not cross blocks."""
        if self._file is None or start >= self._written:
            return bytes(self._waiting[start - self._written : end - self._written])
        blocks_before = bisect_right(self._block_contents, start)
        return os.pread(self._file.fileno(), end - start, start + (blocks_before + 1) * _BEGINNING_BYTES)

    def _blocks(self) -> Iterator[list[Case]]:
        decode = msgspec.msgpack.Decoder(list[Case]).decode
        if self._file is not None:
            start = 0
            for end in self._block_ends:
                # Reads at a given position: several readers may use the file at once.
                yield decode(os.pread(self._file.fileno(), end - start, start))
                start = end
        yield decode(self._block())

    def _block(self) -> bytes:
        """Returns the cases not written yet, as an encoded list."""
        return _LIST + self._waiting_cases.to_bytes(_LENGTH_BYTES) + self._waiting

    def _write(self) -> None:
        block = self._block()
        end = len(block) + (self._block_ends[-1] if self._block_ends else 0)
        if end > self._most_bytes:
            self._give_up()
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="viva-", buffering=0)  # noqa: SIM115 - lives as long as this
            weakref.finalize(self, self._file.close)
        if self._file.write(block) < len(block):
            # The disk became full inside the block.
            self._give_up()
            return
        self._block_ends.append(end)
        self._written += len(self._waiting)
        self._block_contents.append(self._written)
        self._start_block()

    def _start_block(self) -> None:
        self._waiting = bytearray()
        self._waiting_cases = 0

    def _give_up(self) -> None:
        self.complete = False
        self._start_block()
        if self._file is not None:
            self._file.close()
            self._file = None
