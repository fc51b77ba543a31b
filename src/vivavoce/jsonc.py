"""JSON with comments and trailing commas, as Yao's `.yao` files are written."""

import re
from typing import Any

import msgspec

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin

# A string, a comment, or a comma that only closes: strings are matched first so that
# what looks like a comment inside one stays. Nothing is tried twice: any file is read in linear time.
_COMMENT = r"//[^\n]*+|/\*(?>.*?\*/)"
_KEPT = r'"(?:[^"\\\n]|\\.)*+"?|/\*(?!.*?\*/).*+'
_TOKEN = re.compile(rf"(?P<kept>{_KEPT})|{_COMMENT}|,(?=(?>\s++|{_COMMENT})*+[}}\]])", re.DOTALL)


def strip_comments(text: str) -> str:
    """Plain JSON of the same length and lines: comments and closing commas become blanks."""
    return _TOKEN.sub(lambda m: m[0] if m["kept"] else re.sub(r"[^\n]", " ", m[0]), text)


def read_jsonc(text: str, path: str) -> Any:
    """The value of a commented JSON text; a syntax error names its line."""
    plain = strip_comments(text.removeprefix("\ufeff"))
    try:
        return msgspec.json.decode(plain)
    except ValueError as error:
        raise UsageError(f"bad JSON: {error_without_offset(error)}", at=Origin(path, error_line(plain))) from None
    except RecursionError:
        raise UsageError("nested too deeply", at=path) from None


def error_line(text: str, first_line: int = 1) -> int:
    """The line where a text stops being JSON."""
    import json

    # msgspec gives a byte offset in words; the standard library gives the line itself.
    try:
        json.loads(text)
    except json.JSONDecodeError as precise:
        return first_line + precise.lineno - 1
    except (ValueError, RecursionError):
        pass
    return first_line


def error_without_offset(error: ValueError) -> str:
    """What a decoder objected to, in words for people."""
    return re.sub(r" \(byte \d+\)$", "", str(error)).removeprefix("JSON is malformed: ")
