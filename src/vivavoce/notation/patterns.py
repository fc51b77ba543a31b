"""Regular expressions in linear time (RE2), so a user's pattern can never hang a run."""

from functools import lru_cache
from importlib import import_module
from typing import Any

from vivavoce.containment.overlong_work import leave_loop
from vivavoce.model.json_value import JsonValue
from vivavoce.wording.quoting import quote

_FLAGS = "ims"
_WITHOUT_MEANING = "guy"
"""JavaScript's flags that change nothing here: we only ask whether a pattern matches."""
_FLAGS_OF_JAVASCRIPT = frozenset("dgimsuvy")
_ANY_TEXTS = ("", "\0\n\u0416 ~")
"""A pattern that matches both of these matches every text. `^$` and `^.*$` do not match both."""
_SMALL = 100
"""Steps of RE2's program. Most patterns have fewer, except those with classes like `\\pL`."""
_AT_ONCE = 100_000_000
"""Steps of the program times characters of the text: at worst about half a second."""
_LONGEST = 300
"""Characters of a pattern in a message."""
_LOOKAROUND = ("(?=", "(?!", "(?<=", "(?<!")


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> JsonValue:
    """Compiles a pattern for RE2; `/pattern/i` has flags. Raises ValueError for an invalid one."""
    body, flags = _split_flags(pattern)
    return compile_regex(f"(?{flags}){body}" if flags else body, pattern)


@lru_cache(maxsize=4096)
def compile_regex(regex: str, written: str | None = None) -> Any:
    """The same for formats where `/` is an ordinary character. Error messages show `written`, if given."""
    re2: Any = import_module("re2")
    options = re2.Options()
    options.log_errors = False
    try:
        compiled: Any = re2.compile(regex, options=options)
        return compiled if compiled.programsize < _SMALL else _LargePattern(compiled)
    except re2.error as error:
        detail: JsonValue = error.args[0] if error.args else b""
        words = detail.decode(errors="replace") if isinstance(detail, bytes) else str(detail)
        raise ValueError(
            f"bad regex {quote(written or regex, _LONGEST)}: {words[:_LONGEST]}{_instead(words)}"
        ) from None


class _LargePattern:
    """A pattern that may take long on a long text. RE2 cannot be interrupted, so long searches leave the event loop."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled

    def __getattr__(self, name: str) -> Any:
        return getattr(self._compiled, name)

    def search(self, text: str, *more: Any) -> Any:
        return self._apart(text).search(text, *more)

    def fullmatch(self, text: str, *more: Any) -> Any:
        return self._apart(text).fullmatch(text, *more)

    def finditer(self, text: str, *more: Any) -> Any:
        return self._apart(text).finditer(text, *more)

    def sub(self, put: Any, text: str, *more: Any) -> Any:
        return self._apart(text).sub(put, text, *more)

    def _apart(self, text: str) -> Any:
        if self._compiled.programsize * len(text) > _AT_ONCE:
            leave_loop()
        return self._compiled


def refuse_bad_pattern(pattern: str) -> None:
    """Raises ValueError for a pattern that is invalid or matches every text."""
    if not pattern:
        raise ValueError("an empty pattern is found in every text: it checks nothing")
    compiled = compile_pattern(pattern)
    if "${" not in pattern and all(compiled.search(text) is not None for text in _ANY_TEXTS):
        hint = "x+ in place of x*" if "*" in pattern else "a part that must be there"
        raise ValueError(
            f"the pattern {quote(pattern, _LONGEST)} is found in every text: it checks nothing (write {hint})"
        )


def search(pattern: str, text: str) -> str | None:
    """Returns the first piece of `text` that the pattern matches, or None."""
    found = compile_pattern(pattern).search(text)
    return None if found is None else str(found.group(0))


def _split_flags(pattern: str) -> tuple[str, str]:
    """Returns the pattern between slashes, and its flags. `/usr/bin` is a pattern without flags.

    Raises ValueError for `/x/`, because it is unclear whether the slashes belong to the pattern.
    """
    if len(pattern) > 2 and pattern[0] == "/":
        body, _, flags = pattern[1:].rpartition("/")
        if body and not flags:
            literal = f"[/]{pattern[1:]}"
            raise ValueError(f"bad regex {pattern!r}: write {body} to find that, {literal} to find the slashes, too")
        if body and flags and _FLAGS_OF_JAVASCRIPT.issuperset(flags):
            _refuse_odd_flags(pattern, flags)
            return body, "".join(flag for flag in flags if flag in _FLAGS)
    return pattern, ""


def _refuse_odd_flags(pattern: str, flags: str) -> None:
    odd = sorted({flag for flag in flags if flags.count(flag) > 1 or flag not in _FLAGS + _WITHOUT_MEANING})
    if odd:
        why = "written twice" if flags.count(odd[0]) > 1 else "not supported (i, m and s are)"
        literal = f"to find these slashes themselves, write [/]{pattern[1:]}"
        raise ValueError(f"bad regex {pattern!r}: the flag {odd[0]!r} is {why}; {literal}")


def _instead(complaint: str) -> str:
    """Returns what to write instead of syntax that RE2 does not support."""
    if complaint.endswith(_LOOKAROUND):
        return (
            " (lookahead and lookbehind do not exist in linear-time patterns; "
            "to say what must not be there, use `negate`, `not_contains` or `must_not_match`)"
        )
    if complaint.startswith("invalid escape sequence: \\") and complaint[-1:].isdigit():
        return " (back-references do not exist in linear-time patterns)"
    return ""
