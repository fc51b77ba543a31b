"""A stream of bytes → JSON objects with their lines: one per line, over several lines, or several on one line."""

import io
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import BinaryIO, TypeAlias

import msgspec
from msgspec import Struct

from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue
from vivavoce.notation.jsonc import explained
from vivavoce.sources.scanning.extent import Extent
from vivavoce.sources.scanning.json_places import JsonText, may_repeat_a_key

LARGEST_OBJECT = 64 * 1024 * 1024
"""So that a missing brace does not read a huge file into memory."""
SUSPICIOUS_LINES = 10_000
"""In an object with more lines, a line that looks like a new case is one."""

_AT_ONCE = 16 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LEADING_COMMENTS = re.compile(rb"(?:\s*+(?://|#)[^\r]*+)++")
"""A carriage return alone is an old end of line: what follows it is not part of the comment."""
_NEW_CASE = rb'\{(?:\s*$|.*"id"\s*:)'


DecodeLines: TypeAlias = Callable[[list[bytes], int], list[Case] | None]


class Found(Struct, frozen=True):
    """A value and the line it begins on."""

    value: JsonValue
    line: int
    spread: bytes | None = None
    """The text of a value that goes over several lines."""


class Broken(Struct, frozen=True):
    """Text that is not JSON, with its line."""

    line: int
    what: str
    hint: str | None = None


class ObjectReader:
    """Reads a file object by object, in constant memory. After a broken object it continues with the next.

    `decode_lines` (lines, number of the first) decodes one case per line. When it returns None, it is called for each
    line alone. When it returns None again, the reader finds the objects itself.
    """

    def __init__(
        self,
        file: BinaryIO,
        largest: int = LARGEST_OBJECT,
        decode_lines: DecodeLines = lambda _lines, _first: None,
    ) -> None:
        self._file = file
        self._largest = largest
        self._decode_lines = decode_lines
        self._number = 0
        self._ahead: list[bytes] = []
        """Lines that were read but not decoded yet (last first)."""
        self._pushed_back: list[bytes] = []
        """Lines to be read again (last first) after an object turned out never to end."""

    def __iter__(self) -> Iterator[Case | Found | Broken]:
        return chain.from_iterable(self._batches())

    def _batches(self) -> Iterator[Iterable[Case | Found | Broken]]:
        """Batches of a few objects, each to be consumed before the next."""
        yield from self._decoded_ahead()
        while line := self._next_line():
            if len(line) > self._largest:
                yield (self._too_long(line),)
            elif (cases := self._decode_lines([line], self._number)) is not None:
                yield cases
            else:
                yield self._objects(line)
            if not self._ahead and not self._pushed_back:
                yield from self._decoded_ahead()

    def _decoded_ahead(self) -> Iterator[list[Case]]:
        """Batches of cases, until a batch of lines must be read one by one."""
        while lines := self._next_lines():
            cases = None if len(lines[-1]) > self._largest else self._decode_lines(lines, self._number + 1)
            if cases is None:
                self._ahead = lines[::-1]
                return
            self._number += len(lines)
            yield cases

    def _next_lines(self) -> list[bytes]:
        """Whole lines, except a last one that is too long; empty at the end of the file."""
        lines = io.BytesIO(self._file.read(min(_AT_ONCE, self._largest))).readlines()
        if lines and not lines[-1].endswith(b"\n"):
            lines[-1] += self._read_line(len(lines[-1]))
        return lines

    def _read_line(self, already: int = 0) -> bytes:
        """The rest of a line, or enough of it to see that it is too long."""
        return self._file.readline(self._largest + 1 - already)

    def _objects(self, line: bytes) -> Iterator[Found | Broken]:
        """What begins on this line: nothing, one object, or several."""
        text = _after_comments(line).strip()
        if not text:
            return
        try:
            value = msgspec.json.decode(text)
        except (ValueError, RecursionError):
            yield from self._spread_out(line)
        else:
            repeated = _repeated_key(text, self._number) if may_repeat_a_key(text, value) else None
            yield repeated or Found(value, self._number)

    def _next_line(self) -> bytes:
        """Empty at the end of the file."""
        waiting = self._pushed_back or self._ahead
        line = waiting.pop() if waiting else self._read_line()
        if not line:
            return line
        self._number += 1
        return line if self._number > 1 else line.removeprefix(_BYTE_ORDER_MARK)

    def _too_long(self, line: bytes) -> Broken:
        while line and not line.endswith(b"\n"):
            line = self._file.readline(self._largest)
        return Broken(self._number, f"a line of more than {self._largest // 2**20} MB")

    # ── everything that is not one object on one line ──

    def _spread_out(self, line: bytes) -> Iterator[Found | Broken]:
        """The object that begins on this line and ends on a later one, or several objects of this line."""
        if self._number == 1 and (is_utf16 := _utf16(line)):
            yield Broken(1, f"not UTF-8 text: {is_utf16}", "save the file as UTF-8")
            self._ahead.clear()
            while self._file.read(self._largest):
                pass
            return
        column = 0
        while text := (rest := _after_comments(line)).strip():
            if not text.startswith(b"{"):
                yield self._no_object(text)
                return
            column += len(line) - len(rest)
            extent = Extent(self._number, column)
            outcome = self._collect(extent, rest.rstrip() + b"\n")
            if isinstance(outcome, Broken):
                yield outcome
                return
            yield _decoded(extent)
            line = outcome
            column = len(extent.lines[-1]) + (column if len(extent.lines) == 1 else 0)

    def _collect(self, extent: Extent, text: bytes) -> bytes | Broken:
        """Adds lines until the object is closed; returns what is left of its last line."""
        rest = extent.add(text)
        while rest is None:
            if extent.mismatched:
                return self._mismatched(extent)
            rereading = bool(self._pushed_back)
            line = self._next_line()
            if not line:
                return self._never_closed(extent, "before the file ends")
            if line.startswith(b"{") and (
                extent.cannot_hold_an_object
                or ((rereading or len(extent.lines) > SUSPICIOUS_LINES) and re.match(_NEW_CASE, line))
            ):
                self._unread(line)
                return self._never_closed(extent, f"before line {self._number + 1}")
            if extent.size + len(line) > self._largest:
                self._unread(line)
                return self._never_closed(extent, f"within {self._largest // 2**20} MB")
            rest = extent.add(_after_comments(line) or b"\n")
        return rest

    def _mismatched(self, extent: Extent) -> Broken:
        self._give_back(extent)
        found = _decoded(extent)
        return found if isinstance(found, Broken) else Broken(extent.line, "bad JSON")

    def _never_closed(self, extent: Extent, until: str) -> Broken:
        self._give_back(extent)
        return Broken(
            extent.line, f"bad JSON: the object that begins here is not closed {until}", "is a } or ] missing?"
        )

    def _give_back(self, extent: Extent) -> None:
        """Continues with the next line on which a case may begin, also one that was taken for a part of this object."""
        for index, line in enumerate(extent.lines):
            if index and re.match(_NEW_CASE, line):
                self._pushed_back.extend(reversed(extent.lines[index:]))
                self._number -= len(extent.lines) - index
                return
        while line := self._next_line():
            if line.startswith(b"{"):
                self._unread(line)
                return

    def _unread(self, line: bytes) -> None:
        self._pushed_back.append(line)
        self._number -= 1

    def _no_object(self, text: bytes) -> Broken:
        shown = text[:40].decode(errors="replace")
        if (wrong := _bad_utf8(text, self._number)) is not None:
            return wrong
        hint = "a list of cases belongs into a .json file" if text.startswith(b"[") else "one case or row is one { … }"
        return Broken(self._number, f"bad JSON: wanted an object, found {shown!r}", hint)


def _after_comments(line: bytes) -> bytes:
    """What is left of a line without the comments it begins with."""
    found = _LEADING_COMMENTS.match(line)
    return line[found.end() :] if found else line


def _decoded(extent: Extent) -> Found | Broken:
    text = b"".join(extent.lines)
    try:
        value = msgspec.json.decode(text)
    except ValueError as error:
        if (wrong := _bad_utf8(text, extent.line)) is not None:
            return wrong
        what, line = explained(error, text.decode(), extent.line, extent.column)
        return Broken(line, what)
    except RecursionError:
        return Broken(extent.line, "nested too deeply")
    if may_repeat_a_key(text, value) and (repeated := _repeated_key(text, extent.line)) is not None:
        return repeated
    return Found(value, extent.line, text)


def _bad_utf8(text: bytes, first_line: int) -> Broken | None:
    try:
        text.decode()
    except UnicodeDecodeError as error:
        line = first_line + text.count(b"\n", 0, error.start)
        return Broken(line, f"not UTF-8 text: byte 0x{text[error.start]:02x}", "save the file as UTF-8")
    return None


def _utf16(first_line: bytes) -> str | None:
    if first_line.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "this is UTF-16"
    return "this looks like UTF-16" if first_line[1:2] == b"\0" or first_line[:1] == b"\0" else None


def _repeated_key(text: bytes, line: int) -> Broken | None:
    repeated = JsonText(text, line).repeated_key()
    return None if repeated is None else Broken(repeated[1], f"duplicate key {repeated[0]!r}")
