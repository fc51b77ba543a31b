"""Rows → JSON bytes that any reader accepts, whatever an agent managed to put into them."""

from typing import Any

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import is_array, is_object

_encoder = msgspec.json.Encoder(enc_hook=str)
_DEEPEST = 100
NOT_JSON = (UnicodeEncodeError, TypeError, RecursionError)
"""What `line_as_it_is` raises for a value that JSON cannot hold."""


def line_as_it_is(row: Struct) -> bytes:
    """The row with the end of its line: msgspec makes room for a line at once, for a row it grows from nothing."""
    return _encoder.encode_lines([row])


def encoded(row: Struct | dict[str, Any]) -> bytes:
    """One line of JSON. A value JSON cannot hold is written as near to it as can be: a row is never lost."""
    try:
        return _encoder.encode(row)
    except NOT_JSON:
        return _encoder.encode(_made_plain(row, 0))


def _made_plain(value: Any, depth: int) -> Any:
    """The same without lone surrogates, keys that are no text, or endless nesting."""
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Struct):
        tag = {value.__struct_config__.tag_field: value.__struct_config__.tag} if value.__struct_config__.tag else {}
        fields = {name: getattr(value, name) for name in value.__struct_fields__}
        return tag | {
            name: _made_plain(inner, depth + 1) for name, inner in fields.items() if inner is not msgspec.UNSET
        }
    if is_object(value):
        return {_made_plain(str(key), depth): _made_plain(inner, depth + 1) for key, inner in value.items()}
    if is_array(value):
        return [_made_plain(inner, depth + 1) for inner in value]
    return value
