"""Cases that were found sound, put aside until their turn: what was checked is what runs, whoever edits the file."""

import io
import os
import tempfile
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from vivavoce.model.case import Case

MOST_BYTES = 256 * 1024 * 1024
"""Beyond this the disk matters more than the time: the sources are then read once more instead."""

_SIZE_BYTES = 4
_AT_ONCE = 64 * 1024


class CheckedCases:
    """Plain cases in the order they were added, in a file without a name that is gone with the process.

    To decode them takes a fifth of what it takes to read, understand and check what an author wrote.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._size = 0
        self._encode = msgspec.msgpack.Encoder().encode
        self._waiting: list[bytes] = []
        self._waiting_size = 0
        self._file: BinaryIO | None = None
        self.complete = True
        """False once a case could not be kept: then none of them is to be taken from here."""

    def add(self, case: Case) -> None:
        if not self.complete:
            return
        try:
            written = self._encode(case)
            self._waiting += (len(written).to_bytes(_SIZE_BYTES), written)
            self._waiting_size += _SIZE_BYTES + len(written)
            if self._waiting_size > _AT_ONCE:
                self._write()
        except (OSError, TypeError, ValueError, OverflowError):
            # No room on the disk, or a number that only Python knows.
            self._give_up()

    def __iter__(self) -> Iterator[Case]:
        """From the first on, as often as wanted."""
        if self._waiting:
            self._write()
        if self._file is None:
            return
        decode = msgspec.msgpack.Decoder(Case).decode
        reader = io.BufferedReader(_From(self._file.fileno()), _AT_ONCE)
        read = reader.read
        while size := read(_SIZE_BYTES):
            yield decode(read(int.from_bytes(size)))

    def _write(self) -> None:
        self._size += self._waiting_size
        if self._size > self._most_bytes:
            self._give_up()
            return
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="viva-", buffering=0)  # noqa: SIM115 - lives as long as this
        self._file.write(b"".join(self._waiting))
        self._waiting.clear()
        self._waiting_size = 0

    def _give_up(self) -> None:
        self.complete = False
        self._waiting.clear()
        if self._file is not None:
            self._file.close()
            self._file = None


class _From(io.RawIOBase):
    """A file read from its beginning, at a place of its own: others may read it at the same time."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._offset = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        count = os.preadv(self._fd, [buffer], self._offset)
        self._offset += count
        return count
