"""Finds words in unread parts of a reply that may be the names of called tools."""

import re
from collections.abc import Iterable, Iterator

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import Unread
from vivavoce.notation.hidden_calls import OFFERS, says_something, unread

_WORD = r"[^\w'\"{\[(]{0,3}([A-Za-z_][\w.:/#@-]{1,127})\s*"
"""One word, perhaps behind a sign: `refund`, `/refund`, `> refund`."""
_IN_A_TEXT = r"""["'`]\s*([A-Za-z_][\w.:/-]{1,127})\s*\\*["'`]|([A-Za-z_][\w.:/]{1,127})\("""
"""A word inside a longer text, in quotes (which may be escaped) or before a bracket: `refund(order=7)`."""
_IN_A_LABEL = (
    r"(?<=[:=] )[A-Za-z]\w+|(?<=[Tt]ool )[A-Za-z]\w+|(?<==)[A-Za-z]\w+|(?<![A-Za-z0-9])[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+"
)
"""A word inside a short text: behind a sign (`Action: refund`), or written as only programs write (`pay_back`)."""
_LONGEST_LABEL = 80
_MARK = r"(?i)(?:tool|function|call|action)[-_.:]+"
"""What some servers write before the name of a tool: `tool-refund`."""
_API_WORDS = frozenset(
    {"type", "object", "model", "role", "status", "service_tier", "phase", "created_at", "timestamp"}
)
"""Fields whose values are words of the API or of its caller, never names of tools."""
_MOST = 20_000
_DEEPEST = 40


def possible_names(value: JsonValue, where: str) -> list[Unread]:
    """Returns an unread piece that breaks the checks of tools named like a word in the value. Empty without words."""
    words = dict.fromkeys(_words(value))
    if not words:
        return []
    told = " ".join(words)
    return [
        Unread(unread(value, where).piece, where, "name", told) if len(told) <= _MOST else unread(value, where, "call")
    ]


def names_beside(told: JsonObject, known: Iterable[str], where: str) -> list[Unread]:
    """The same for each unknown field of an object, with its place."""
    found: list[Unread] = []
    for key in told.keys() - set(known) - _API_WORDS:
        if not re.search(OFFERS, key) and not key.endswith(("id", "Id", "ID")):
            value = told[key]  # a key before an object may be the name: {"refund": {"order": 7}}
            is_named = is_object(value) and says_something(value)
            found += possible_names({key: value} if is_named else value, f"{where}.{key}")
    return found


def _words(value: JsonValue, depth: int = 0) -> Iterator[str]:
    """Yields texts and keys that are a single word, and the words in longer texts that may name a tool."""
    if isinstance(value, str):
        yield from _words_in_text(value)
    elif depth > _DEEPEST:
        return
    elif is_object(value):
        for key, inner in value.items():
            if not re.search(OFFERS, key) and inner not in (None, "", []):  # {}: a call without arguments
                yield from _words(key)
                yield from _words(inner, depth + 1)
    elif is_array(value):
        for inner in value:
            yield from _words(inner, depth + 1)


def _words_in_text(text: str) -> Iterator[str]:
    if whole := re.fullmatch(_WORD, text):
        yield whole[1]
        if mark := re.match(_MARK, whole[1]):
            yield whole[1][mark.end() :]
    else:
        for found in re.finditer(_IN_A_TEXT, text):
            yield found[1] or found[2]
    if len(text) <= _LONGEST_LABEL:
        yield from re.findall(_IN_A_LABEL, text)
