"""The texts inside structured output, for negative checks: JSON text writes quotes and line breaks in another way."""

import re
from collections.abc import Callable, Iterator
from unicodedata import normalize

import msgspec

from vivavoce.model.json_value import JsonValue, is_array, is_object
from vivavoce.notation.json_text import json_inside, whole_json

_WRITTEN_DIFFERENTLY = r'["\\\x00-\x1f]'
"""What JSON text cannot hold as it is."""
_UNSEEN = dict.fromkeys([0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF])
"""Characters between two letters that no reader sees."""


def inner_texts(value: JsonValue) -> Iterator[str]:
    """Yields every text that stands as a value inside an object or array, also inside one that was sent as text.

    Also yields keys that are escaped in the text around them, and each text as a reader sees it, if its letters are
    composed or separated in an unusual way.
    """
    if isinstance(value, str):
        yield from as_read(value)
    for text in _written_inside(value):
        yield text
        yield from as_read(text)


def as_read(text: str) -> Iterator[str]:
    """Yields the text without unseen characters and with each letter in one piece, unless that is how it is written."""
    if not text.isascii() and (seen := normalize("NFC", text.translate(_UNSEEN))) != text:
        yield seen


def _written_inside(value: JsonValue) -> Iterator[str]:
    if not isinstance(value, str):
        yield from _texts_in(value, lambda key: re.search(_WRITTEN_DIFFERENTLY, key) is not None)
        return
    said = value
    if (whole := whole_json(said)) is not None:
        yield from _texts_in(whole, lambda key: key not in said)
    elif said.startswith('"') and "\\" in said and (quoted := _json_string(said)) is not None:
        yield quoted
    elif "\\" in said:
        # Without a backslash the words themselves have everything that the JSON inside them says.
        for found in json_inside(said):
            yield from _texts_in(found.value, lambda key: key not in said)


def _texts_in(value: JsonValue, is_hidden: Callable[[str], bool]) -> Iterator[str]:
    if is_object(value):
        for key, inner in value.items():
            if is_hidden(key):
                yield key
            yield from _texts_in(inner, is_hidden)
    elif is_array(value):
        for inner in value:
            yield from _texts_in(inner, is_hidden)
    elif isinstance(value, str):
        yield value
        if "\\" in value:
            # JSON written as a text inside JSON.
            yield from _written_inside(value)


def _json_string(text: str) -> str | None:
    try:
        return msgspec.json.decode(text.strip(), type=str)
    except msgspec.DecodeError:
        return None
