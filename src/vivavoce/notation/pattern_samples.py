"""Makes a text that matches a pattern."""

import re
import string

from vivavoce.notation.patterns import compile_regex, search

_CHARACTERS = f"7x{string.ascii_letters}{string.digits} {string.punctuation}é\n\t"
"""Characters to try for a character class, in this order."""
_GROUP_START = re.compile(r"\(\?(?:P?<\w+>|[imsU-]*:)")
_FLAGS = re.compile(r"\(\?[imsU-]+\)")
_CLASS = re.compile(r"\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]")
_ESCAPE = re.compile(r"\\(?:x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|[pP]\{\^?\w+\}|.)", re.DOTALL)
_REPEAT = re.compile(r"(?:[*+?]|\{(\d+)(?:,\d*)?\})\??")
_NO_WIDTH = frozenset(("^", "$", r"\b", r"\B", r"\A", r"\z"))
_LONGEST, _DEEPEST = 1_000, 50


def sample_of(pattern: str) -> str | None:
    """Returns a short text that matches the pattern, or None if we cannot make one."""
    body = re.sub(r"\A/(.+)/[a-z]+\Z", r"\1", pattern, flags=re.DOTALL)
    try:
        made = _Reader(body).alternatives()
        return made if search(pattern, made) is not None else None
    except ValueError:
        return None


class _Reader:
    """Reads a pattern from left to right and writes a matching text."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._depth = 0

    def alternatives(self) -> str:
        """Returns a text for the first alternative. Raises ValueError for a pattern that it cannot read."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ValueError("too deep")
        first = self._sequence()
        while self._next_is("|"):
            self._at += 1
            self._sequence()
        self._depth -= 1
        return first

    def _sequence(self) -> str:
        made = ""
        while self._at < len(self._pattern) and not self._next_is("|") and not self._next_is(")"):
            atom = self._atom()
            made += atom * self._times()
            if len(made) > _LONGEST:
                raise ValueError("too long")
        return made

    def _atom(self) -> str:
        if self._taken(_FLAGS):
            return ""
        if self._next_is("("):
            if not self._taken(_GROUP_START):
                self._at += 1
            inside = self.alternatives()
            self._at += 1  # the closing bracket
            return inside
        written = self._taken(_CLASS) or self._taken(_ESCAPE) or self._one()
        if written in _NO_WIDTH:
            return ""
        return written if len(written) == 1 and written != "." else _character(written)

    def _times(self) -> int:
        """Returns the smallest number of repetitions that the quantifier after an atom allows."""
        found = _REPEAT.match(self._pattern, self._at)
        if found is None:
            return 1
        self._at = found.end()
        return int(found[1]) if found[1] else int(found[0].startswith("+"))

    def _taken(self, what: re.Pattern[str]) -> str:
        found = what.match(self._pattern, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return found[0]

    def _one(self) -> str:
        self._at += 1
        return self._pattern[self._at - 1]

    def _next_is(self, character: str) -> bool:
        return self._pattern.startswith(character, self._at)


def _character(written: str) -> str:
    """Returns a character of a class such as `[a-z]`, `\\d`, `.` or `\\.`."""
    compiled = compile_regex(written)
    if written.startswith(r"\x"):
        return chr(int(written[2:].strip("{}"), 16))
    found = next((one for one in _CHARACTERS if compiled.fullmatch(one) is not None), None)
    if found is None:
        raise ValueError(f"no character is known for {written}")
    return found
