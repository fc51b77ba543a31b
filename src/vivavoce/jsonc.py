"""JSON with comments and trailing commas, as Yao's `.yao` files are written."""

import re
from typing import Any

import msgspec

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin

# A string, a comment, or a comma that only closes: strings are matched first so that
# what looks like a comment inside one stays.
_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[}\]])', re.DOTALL)


def strip_comments(text: str) -> str:
    """Plain JSON of the same length and lines: comments and closing commas become blanks."""
    return _TOKEN.sub(lambda m: m[0] if m[0][0] == '"' else re.sub(r"[^\n]", " ", m[0]), text)


def read_jsonc(text: str, path: str) -> Any:
    """The value of a commented JSON text; a syntax error names its line."""
    plain = strip_comments(text.removeprefix("\ufeff"))
    try:
        return msgspec.json.decode(plain)
    except msgspec.DecodeError as error:
        raise UsageError(
            f"bad JSON: {error_without_offset(error)}", at=Origin(path, error_line(error, plain))
        ) from None


def error_line(error: msgspec.DecodeError, text: str, first_line: int = 1) -> int:
    """The line a decoding error speaks of."""
    import json

    # msgspec gives a byte offset in words; the standard library gives the line itself.
    try:
        json.loads(text)
    except json.JSONDecodeError as precise:
        return first_line + precise.lineno - 1
    except RecursionError:
        pass
    return first_line


def error_without_offset(error: msgspec.DecodeError) -> str:
    return re.sub(r" \(byte \d+\)$", "", str(error)).removeprefix("JSON is malformed: ")
