"""Cases that were found sound, put aside until their turn: what was checked is what runs, whoever edits the file."""

import os
import tempfile
import weakref
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO

import msgspec

from vivavoce.model.case import Case

MOST_BYTES = 256 * 1024 * 1024
"""Beyond this the disk matters more than the time: the sources are then read once more instead."""

_AT_ONCE = 16 * 1024
_LIST, _LENGTH_BYTES = b"\xdd", 4
"""How msgpack begins a list."""


class CheckedCases:
    """Plain cases in the order they were added; all but the last few in a file without a name that is gone with us.

    They are written and decoded by the hundred, which takes a fifth of what it takes to read, understand and check
    what an author wrote.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._encode_into = msgspec.msgpack.Encoder().encode_into
        self._file: BinaryIO | None = None
        self._block_ends: list[int] = []
        """Where in the file each block of cases ends."""
        self._start_block()
        self.complete = True
        """False once a case could not be kept: then none of them is to be taken from here."""
        self.hold_variables = False
        """Whether any of them may have a `${NAME}` to be filled in."""

    def add(self, case: Case) -> None:
        if not self.complete:
            return
        try:
            start = len(self._waiting)
            self._encode_into(case, self._waiting, -1)
            self._waiting_cases += 1
            if not self.hold_variables:
                self.hold_variables = self._waiting.find(b"${", start) >= 0
            if len(self._waiting) > _AT_ONCE:
                self._write()
        except (OSError, TypeError, ValueError, OverflowError):
            # No room on the disk, or a number that only Python knows.
            self._give_up()

    def __iter__(self) -> Iterator[Case]:
        """From the first on, as often as wanted."""
        return chain.from_iterable(self._blocks())

    def _blocks(self) -> Iterator[list[Case]]:
        decode = msgspec.msgpack.Decoder(list[Case]).decode
        if self._file is not None:
            start = 0
            for end in self._block_ends:
                # At a place of its own: others may read the file at the same time.
                yield decode(os.pread(self._file.fileno(), end - start, start))
                start = end
        yield decode(self._block())

    def _block(self) -> bytes:
        """The cases that wait, as a list that can be decoded."""
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
            # The disk was full before the block's end.
            self._give_up()
            return
        self._block_ends.append(end)
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
