"""Finds words in unread parts of a reply that may be the names of called tools."""

import re
from collections.abc import Iterable, Iterator

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import Unread
from vivavoce.notation.hidden_calls import unread

_WORD = re.compile(r"\s*([A-Za-z_][\w.:/-]{1,127})\s*")
_QUOTED = re.compile(r"""["']\s*([A-Za-z_][\w.:/-]{1,127})\s*\\*["']""")
"""A word in quotes inside a longer text; the quotes may be escaped."""
_OFFERS = re.compile("available|allowed|selected|offered|bound|enabled|description|defin|schema", re.IGNORECASE)
"""Keys of lists of available tools, which say nothing about calls."""
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
        if not _OFFERS.search(key) and not key.endswith(("id", "Id", "ID")):
            found += possible_names(told[key], f"{where}.{key}")
    return found


def _words(value: JsonValue, depth: int = 0) -> Iterator[str]:
    """Yields texts and keys that are a single word, and words in quotes inside longer texts."""
    if isinstance(value, str):
        whole = _WORD.fullmatch(value)
        yield from [whole[1]] if whole else _QUOTED.findall(value)
    elif depth > _DEEPEST:
        return
    elif is_object(value):
        for key, inner in value.items():
            if not _OFFERS.search(key) and inner not in (None, "", [], {}):
                yield from _words(key)
                yield from _words(inner, depth + 1)
    elif is_array(value):
        for inner in value:
            yield from _words(inner, depth + 1)
