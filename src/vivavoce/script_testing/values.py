"""How checks look at values, and how they show them."""

from vivavoce.model.json_value import JsonValue, is_array, is_number, is_object, json_equal
from vivavoce.scripts.plain_json import NotJson, as_json
from vivavoce.wording.terminal_text import clip, quoted

_LONGEST = 200


def shown(value: JsonValue) -> str:
    """A value in a few words, whatever it is."""
    try:
        return clip(quoted(as_json(value)), _LONGEST)
    except NotJson:
        return clip(repr(value), _LONGEST)


def is_in(part: JsonValue, whole: JsonValue) -> bool | None:
    """A text in a text, an element in a list, a key in an object; None where nothing can be in anything."""
    if isinstance(whole, str):
        return part in whole if isinstance(part, str) else None
    if is_array(whole):
        return any(json_equal(part, one) for one in whole)
    if is_object(whole):
        return part in whole
    if isinstance(whole, set | frozenset):
        return part in whole
    return None


def comparable(left: JsonValue, right: JsonValue) -> bool:
    """Numbers with numbers, texts with texts."""
    return (is_number(left) and is_number(right)) or (isinstance(left, str) and isinstance(right, str))
