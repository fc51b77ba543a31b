"""Boolean expressions over words, as pytest's -k and -m take them: `refund and not (slow or flaky)`."""

import re
from collections.abc import Callable

Expression = Callable[[Callable[[str], bool]], bool]
"""Takes a function that says whether a word holds; returns whether the whole expression holds."""

_TOKEN = r"\s*(?:([()])|([^\s()]+))"
_WORD = r"[\w:+\-./\\\[\]]+"
_OPERATORS = ("and", "or", "not")


def parse_expression(text: str) -> Expression:
    """Raises ValueError for a malformed expression."""
    tokens = [bracket or word for bracket, word in re.findall(_TOKEN, text)]
    parser = _Parser(tokens)
    expression = parser.either()
    if parser.left:
        raise ValueError(f"bad expression {text!r}: {parser.next!r} is not expected there")
    return expression


class _Parser:
    """Recursive descent; `or` binds weakest, `not` strongest."""

    def __init__(self, tokens: list[str]) -> None:
        self.left = tokens
        self._text = " ".join(tokens)

    @property
    def next(self) -> str | None:
        return self.left[0] if self.left else None

    def either(self) -> Expression:
        sides = [self._both()]
        while self._skipped("or"):
            sides.append(self._both())
        return sides[0] if len(sides) == 1 else lambda holds: any(side(holds) for side in sides)

    def _both(self) -> Expression:
        sides = [self._negated()]
        while self._skipped("and"):
            sides.append(self._negated())
        return sides[0] if len(sides) == 1 else lambda holds: all(side(holds) for side in sides)

    def _negated(self) -> Expression:
        if self._skipped("not"):
            inner = self._negated()
            return lambda holds: not inner(holds)
        if self._skipped("("):
            inner = self.either()
            if not self._skipped(")"):
                raise ValueError(f"bad expression {self._text!r}: a bracket is not closed")
            return inner
        return self._word()

    def _word(self) -> Expression:
        word = self.next
        if word is None or word == ")" or word.lower() in _OPERATORS:
            raise ValueError(f"bad expression {self._text!r}: a word is missing")
        if not re.fullmatch(_WORD, word):
            raise ValueError(f"bad expression {self._text!r}: {word!r} is no word")
        self.left.pop(0)
        return lambda holds: holds(word)

    def _skipped(self, token: str) -> bool:
        if self.next is not None and self.next.lower() == token:
            self.left.pop(0)
            return True
        return False
