"""JSON with comments and trailing commas, as Yao's `.yao` files are written."""

import re
from math import isinf

import msgspec

from vivavoce.errors import UsageError
from vivavoce.model.case import Origin
from vivavoce.model.json_value import JsonValue

# A string, a comment, or a trailing comma. Strings come first, so that `//` inside a string is not a comment.
# Atomic groups and possessive quantifiers keep the time linear.
_COMMENT = r"//[^\r\n]*+|/\*(?>.*?\*/)"
_KEPT = r'"(?:[^"\\\n]|\\.)*+"?|/\*(?!.*?\*/).*+'
_TOKEN = rf"(?s)(?P<kept>{_KEPT})|{_COMMENT}|,(?=(?>\s++|{_COMMENT})*+[}}\]])"
_STRING_OR_NUMBER = r'(?s)"[^"\\]*+(?:\\.[^"\\]*+)*+"|(?P<number>-?\d++(?:\.\d++)?(?:[eE][-+]?\d++)?)'
_NO_NUMBER = r"NaN|Infinity"


def strip_comments(text: str) -> str:
    """Returns plain JSON with the same length and lines: comments and trailing commas become blanks."""
    return re.sub(_TOKEN, lambda m: m[0] if m["kept"] else re.sub(r"[^\n]", " ", m[0]), text)


def read_jsonc(text: str, path: str) -> JsonValue:
    """Decodes JSON with comments. Raises UsageError with the line of a syntax error."""
    plain = strip_comments(text.removeprefix("\ufeff"))
    try:
        return msgspec.json.decode(plain)
    except ValueError as error:
        what, line = explained(error, plain)
        raise UsageError(what, at=Origin(path, line)) from None
    except RecursionError:
        raise UsageError("nested too deeply", at=path) from None


def explained(error: ValueError, text: str, first_line: int = 1, first_column: int = 0) -> tuple[str, int]:
    """Returns a decoder's error in plain words, and its line."""
    words, position = _objection(error, text)
    line = text.count("\n", 0, position)
    column = position - text.rfind("\n", 0, position) + (0 if line else first_column)
    return f"bad JSON: {words} (column {column})", first_line + line


def _objection(error: ValueError, text: str) -> tuple[str, int]:
    """Returns the words, and the position in the text."""
    import json

    if "out of range" in str(error) and (number := _too_large(text)) is not None:
        return "a number too large to be read", number
    offset = re.search(r" \(byte (\d+)\)$", str(error))
    position = 0 if offset is None else len(text.encode()[: int(offset[1])].decode(errors="replace"))
    if name := re.match(_NO_NUMBER, text[position:]):
        return f"{name[0]} is no JSON value", position
    words = re.sub(r" \(byte \d+\)$", "", str(error)).removeprefix("JSON is malformed: ")
    # msgspec reports some errors a line too late; the standard library knows the exact position.
    try:
        json.loads(text)
    except json.JSONDecodeError as precise:
        position = precise.pos
    except (ValueError, RecursionError):
        pass
    return words, position


def _too_large(text: str) -> int | None:
    for found in re.finditer(_STRING_OR_NUMBER, text):
        if found["number"] and isinf(float(found["number"])):
            return found.start()
    return None
