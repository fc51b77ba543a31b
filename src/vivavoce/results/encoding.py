"""Rows → JSON bytes that any reader accepts, whatever an agent put into them."""

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object

_encoder = msgspec.json.Encoder(enc_hook=str)
_DEEPEST = 100
NOT_JSON = (UnicodeEncodeError, TypeError, RecursionError)
"""What the encoder raises for a value that JSON cannot hold."""


def encoded(row: Struct | JsonObject) -> bytes:
    """The row as JSON. A value JSON cannot hold is replaced by the nearest one it can: a row is never lost."""
    try:
        return _encoder.encode(row)
    except NOT_JSON:
        return _encoder.encode(_made_plain(row, 0))


def encoded_line(row: Struct) -> bytes:
    """The same with the end of the line."""
    try:
        # msgspec reserves space for a line at once; for a single value its buffer grows step by step.
        return _encoder.encode_lines([row])
    except NOT_JSON:
        return _encoder.encode(_made_plain(row, 0)) + b"\n"


def _made_plain(value: JsonValue, depth: int) -> JsonValue:
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
