"""Splits a stream of bytes into server-sent events."""

import re

from vivavoce.model.value_count import LARGE, TOO_MANY, has_many_values
from vivavoce.net.inflating import LARGEST_ANSWER

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_OTHER_FIELDS = frozenset({b"event", b"id", b"retry", b"data", b""})
"""Fields that are ignored; a comment is a field without a name."""
_HIDDEN = re.compile(rb'[^{\[]*+[{\[].*?(?:tool|function|"name"|"action)', re.IGNORECASE | re.DOTALL)
"""JSON about tools in a comment or an ignored field."""
_QUOTED = 200
_MOST_NAMES = 1_000


class FrameTooLarge(ValueError):
    """One event is larger than viva reads."""


class SseSplitter:
    """Splits a stream in chunks of any size: with LF, CRLF or CR, comments, and data on several lines."""

    def __init__(self, max_frame_bytes: int = LARGEST_ANSWER) -> None:
        self._max = max_frame_bytes
        self._unfinished: list[bytes] = []
        """Pieces of the last, incomplete line; joined only once, so that a huge line takes linear time."""
        self._data: list[bytes] = []
        self._size = 0
        self._after_cr = False
        self._at_start = True
        self.stray = b""
        """The beginning of the first line that is not a known field, or is an ignored one with JSON about tools."""

        self.names: set[bytes] = set()
        """The names of events, which may be those of tools."""

    def feed(self, chunk: bytes) -> list[bytes]:
        """Returns the data of every event that this chunk completes. Raises FrameTooLarge."""
        if self._after_cr and chunk:
            # The CR already ended its line: the LF of a divided CRLF must not end another one.
            self._after_cr = False
            if chunk.startswith(b"\n"):
                chunk = chunk[1:]
        if b"\n" not in chunk and b"\r" not in chunk:
            if chunk:
                self._unfinished.append(chunk)
                self._grow(len(chunk))
            return []
        if self._unfinished:
            self._unfinished.append(chunk)
            chunk = b"".join(self._unfinished)
            self._unfinished = []
        whole, _, rest = chunk.rpartition(b"\n\n")
        frames = None if self._data else _plain_frames(whole, rest)
        if frames is None:
            self._after_cr = chunk.endswith(b"\r")
            lines = chunk.splitlines()
            rest = b"" if self._after_cr or chunk.endswith(b"\n") else lines.pop()
            frames = self._frames_of(lines)
        self._at_start = False
        self._size = sum(map(len, self._data))
        if rest:
            self._unfinished.append(rest)
        self._grow(len(rest))
        if len(chunk) > LARGE:
            _refuse_floods(frames)
        return frames

    def rest(self) -> bytes:
        """Returns the data of a last event without a blank line after it, complete or cut off; b"" if there is none."""
        if not self._unfinished and not self._data:
            return b""
        line = b"".join(self._unfinished)
        self._unfinished = []
        return b"\n".join([*self._frames_of([line]), *self._frames_of([b""])])

    def _frames_of(self, lines: list[bytes]) -> list[bytes]:
        frames: list[bytes] = []
        data = self._data
        if self._at_start and lines:
            self._at_start = False
            lines[0] = lines[0].removeprefix(_BYTE_ORDER_MARK)
        for line in lines:
            if not line:
                if data:
                    frames.append(data[0] if len(data) == 1 else _joined(data))
                    data.clear()
            elif line.startswith(b"data: "):
                data.append(line[6:])
            elif line.startswith(b"data:"):
                data.append(line[5:])
            elif line.startswith(b"event:") and len(line) <= _QUOTED and not _HIDDEN.match(line):
                if len(self.names) < _MOST_NAMES:
                    self.names.add(line[6:].strip())
            elif not self.stray and (line.partition(b":")[0] not in _OTHER_FIELDS or _HIDDEN.match(line)):
                self.stray = line[:_QUOTED]
        return frames

    def _grow(self, size: int) -> None:
        self._size += size
        if self._size > self._max:
            raise FrameTooLarge(f"an event of more than {self._max} bytes")


def _joined(lines: list[bytes]) -> bytes:
    frame = b"\n".join(lines)
    _refuse_floods([frame])
    return frame


def _refuse_floods(frames: list[bytes]) -> None:
    if any(map(has_many_values, frames)):
        raise FrameTooLarge(f"an event of {TOO_MANY}")


def _plain_frames(whole: bytes, rest: bytes) -> list[bytes] | None:
    """Returns the frames of a chunk in which every event is one `data: ` line and a blank line, else None.

    Nearly every server sends such chunks. Splitting them is much faster than reading every line; it is correct if no
    line ends are left between the separators.
    """
    if not whole.startswith(b"data: "):
        return None
    frames = whole[6:].split(b"\n\ndata: ")
    between = b"".join((*frames, rest))
    return None if b"\n" in between or b"\r" in between else frames
