"""Finds the end of a JSON object that may go over several lines."""

import re

_TOKEN = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[{}\[\]]'
_CLOSES = {b"}": b"{", b"]": b"["}


class Extent:
    """The lines of an object so far, and its open brackets."""

    def __init__(self, line: int, column: int) -> None:
        self.line = line
        self.column = column
        self.lines: list[bytes] = []
        self.size = 0
        self.mismatched = False
        self._open: list[bytes] = []
        self._last = b""

    def add(self, text: bytes) -> bytes | None:
        """Adds a line. Returns the text after the object once it is closed."""
        for token in re.finditer(_TOKEN, text):
            bracket = token[0]
            if bracket in (b"{", b"["):
                self._open.append(bracket)
            elif bracket in _CLOSES:
                if self._open.pop() != _CLOSES[bracket]:
                    self.mismatched = True
                    break
                if not self._open:
                    self._keep(text[: token.end()])
                    return text[token.end() :]
        self._keep(text)
        return None

    def _keep(self, text: bytes) -> None:
        self.lines.append(text)
        self.size += len(text)
        self._last = text.rstrip()[-1:] or self._last

    @property
    def cannot_hold_an_object(self) -> bool:
        """Whether JSON's grammar forbids a `{` at this point."""
        if self._last == b",":
            return self._open[-1] == b"{"
        return self._last not in (b"[", b":")
