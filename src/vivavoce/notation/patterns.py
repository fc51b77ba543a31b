"""Regular expressions in linear time (RE2), so a user's pattern can never hang a run."""

from functools import lru_cache
from importlib import import_module
from typing import Any

_FLAGS = "imsU"


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> Any:
    """A compiled RE2 pattern; `/pattern/i` carries flags. Raises ValueError for an invalid one."""
    re2: Any = import_module("re2")
    body, flags = _split_flags(pattern)
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(f"(?{flags}){body}" if flags else body, options=options)
    except re2.error as error:
        detail: Any = error.args[0] if error.args else b""
        words = detail.decode(errors="replace") if isinstance(detail, bytes) else str(detail)
        raise ValueError(f"bad regex {pattern!r}: {words}") from None


def search(pattern: str, text: str) -> str | None:
    """The first piece of `text` the pattern matches, or None."""
    found = compile_pattern(pattern).search(text)
    return None if found is None else str(found.group(0))


def _split_flags(pattern: str) -> tuple[str, str]:
    if len(pattern) > 2 and pattern[0] == "/":
        body, _, flags = pattern[1:].rpartition("/")
        if body and flags and all(flag in _FLAGS for flag in flags):
            return body, flags
    return pattern, ""
