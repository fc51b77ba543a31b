"""A text or value with the shape of a call, as an unread piece that says of which tools it may be a call."""

import re
from unicodedata import normalize

from msgspec import structs

from vivavoce.model.json_value import JsonValue, compact_json, is_array, is_object
from vivavoce.model.message import Unread
from vivavoce.notation.data_in_text import data_in_text
from vivavoce.notation.hidden_calls import (
    calls_in_text,
    is_kind_of_call,
    marks_besides_yaml,
    names_and_arguments,
    promises_calls,
    unread,
)

_WORD = r"[^\W_]+"
_LETTER = r"[^\W\d_]"
_MOST = 4_000
_DEEPEST = 40


def suspected_call(value: JsonValue, where: str, *, under: str = "") -> Unread:
    """Returns a piece that breaks checks of calls, but not those of a tool that is certainly not named in it.

    That is certain where each possible call has a name (`{"name": "Ann", "input": …}`), as much ordinary data has.
    Other forms may hide the name, or be only a part of a call. `under` is the key of the value.
    """
    piece = unread(value, where, "call")
    text = value if isinstance(value, str) else compact_json(value)
    if len(text) > _MOST or "\\u" in text or not _names_every_call({under: value} if under else value):
        return piece
    return structs.replace(piece, tool=" ".join(re.findall(_WORD, normalize("NFKC", text))))


def _names_every_call(value: JsonValue, depth: int = 0) -> bool:
    if depth > _DEEPEST:
        return False
    if isinstance(value, str):
        if not calls_in_text(value):
            return True
        return not marks_besides_yaml(value) and all(
            _names_every_call(inner, depth + 1) for inner in data_in_text(value)
        )
    if is_array(value):
        return all(_names_every_call(inner, depth + 1) for inner in value)
    if not is_object(value):
        return True
    if (is_kind_of_call(value) or names_and_arguments(value)[1]) and not _has_a_name(value):
        return False
    for key, inner in value.items():
        if inner and promises_calls(key) and not all(map(_has_a_name, inner if is_array(inner) else [inner])):
            return False
    return all(_names_every_call(inner, depth + 1) for inner in value.values())


def _has_a_name(call: JsonValue) -> bool:
    """Whether a possible call certainly contains the name of its tool, or is nothing but that name."""
    if isinstance(call, str):
        return len(call.split()) == 1 and re.search(_LETTER, call) is not None
    if not is_object(call):
        return False
    function = call.get("function")
    names = names_and_arguments(function if is_object(function) else call)[0]
    return bool(names) and all(isinstance(name, str) and re.search(_LETTER, name) for name in names)
