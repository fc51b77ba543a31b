"""Limits the number of values in an answer: reading them blocks the event loop, and all other cases with it."""

import re

from vivavoce.model.json_value import JsonValue, is_array, is_object

MOST_VALUES = 250_000
"""About a second of reading, searching and writing."""
TOO_MANY = f"more than {MOST_VALUES:,} values"
LARGE = 2 * MOST_VALUES
"""Bytes; shorter JSON cannot have so many values."""
_BEGINNING = rb"\s*+[\[{]"
_TOKEN = rb'(?s)"(?:[^"\\]++|\\.)*+"?|[,\[{]'
"""A string, or a character that comes before every value but the first."""
_QUOTE = ord('"')
_MOST_TOKENS = 3 * MOST_VALUES
"""One value may have a comma, a key and a string."""


def has_many_values(written: bytes | bytearray | str) -> bool:
    """Whether a text is JSON with more values than an answer may have. A string counts as one value."""
    if len(written) <= LARGE:
        return False
    content = written.encode(errors="surrogatepass") if isinstance(written, str) else written
    if (
        re.match(_BEGINNING, content) is None
        or content.count(b",") + content.count(b"[") + content.count(b"{") < MOST_VALUES
    ):
        return False
    values = 0
    for tokens, token in enumerate(re.finditer(_TOKEN, content), 1):
        values += content[token.start()] != _QUOTE
        if values >= MOST_VALUES or tokens >= _MOST_TOKENS:
            return True
    return False


def holds_many_values(value: JsonValue) -> bool:
    """The same for a value in memory, which may contain itself."""
    if not (is_object(value) or is_array(value)):
        return False
    seen, waiting = 0, [value]
    while waiting:
        inner = waiting.pop()
        seen += len(inner)
        if seen > MOST_VALUES:
            return True
        waiting += [
            each for each in (inner.values() if is_object(inner) else inner) if is_object(each) or is_array(each)
        ]
    return False
