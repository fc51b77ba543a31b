"""JSON in an agent's text that all readers understand in the same way; anything else is a failure of the agent."""

from vivavoce.model.json_value import JsonValue, compact_json, is_array, is_nan_or_infinite, is_object, iter_leaves
from vivavoce.notation.json_text import FoundJson, find_json, found_whole, repeats_a_key

_CONSTANTS = ("NaN", "Infinity")
DEEPEST = 500
"""Levels of nesting."""


class UnclearJson(Exception):
    """The JSON is ambiguous, so every check of it fails, negated or not."""


def clear_json(text: str) -> FoundJson | None:
    """The JSON in a text, as `find_json` finds it. Raises UnclearJson."""
    return _clear(find_json(text))


def clear_whole_json(text: str) -> JsonValue:
    """The JSON that a text is, as `whole_json` reads it. Raises UnclearJson."""
    found = _clear(found_whole(text))
    return None if found is None else found.value


def _clear(found: FoundJson | None) -> FoundJson | None:
    if found is None:
        return None
    text = found.written
    if text.count("{") + text.count("[") > DEEPEST and _is_deep(found.value):
        raise UnclearJson(f"the JSON in the output is nested more than {DEEPEST} levels deep")
    if "\\u" in text and _has_half_a_character(found.value):
        raise UnclearJson("the JSON in the output holds half of a character (a lone surrogate)")
    if not found.repaired and repeats_a_key(text):
        raise UnclearJson("the JSON in the output has a key written twice: it is unclear which value counts")
    return found


def _is_deep(value: JsonValue) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            if is_object(outer) or is_array(outer)
            for inner in (outer.values() if is_object(outer) else outer)
        ]
        if not level:
            return False
    return True


def _has_half_a_character(value: JsonValue) -> bool:
    try:
        compact_json(value)
    except UnicodeEncodeError:
        return True
    return False


def no_json_number(value: JsonValue, *, repaired: bool) -> str | None:
    """NaN or an infinity inside the value; a repair makes a text of it."""
    for leaf in iter_leaves(value):
        if is_nan_or_infinite(leaf) or (repaired and isinstance(leaf, str) and leaf.strip("-") in _CONSTANTS):
            return str(leaf)
    return None
