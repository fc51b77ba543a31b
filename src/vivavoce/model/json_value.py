"""JSON values as plain Python: what they are, when two are equal, how they read as text."""

from typing import Any, TypeGuard

import msgspec

JsonObject = dict[str, Any]

_compact_encoder = msgspec.json.Encoder(order="sorted")


def is_object(value: object) -> TypeGuard[JsonObject]:
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, (list, tuple))


def is_number(value: object) -> TypeGuard[int | float]:
    """JSON's number: `True` is not one."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def json_equal(left: Any, right: Any) -> bool:
    """Structural JSON equality: key order never matters, `1` equals `1.0`, `1` never equals `true`."""
    if is_object(left) and is_object(right):
        return left.keys() == right.keys() and all(json_equal(left[k], right[k]) for k in left)
    if is_array(left) and is_array(right):
        return len(left) == len(right) and all(map(json_equal, left, right))
    if is_number(left) and is_number(right):
        return left == right
    return type(left) is type(right) and left == right


def compact_json(value: Any) -> str:
    """One line, no spaces, sorted keys, `1.0` written as `1`: the text assertions search."""
    return _compact_encoder.encode(_whole_floats_as_ints(value)).decode()


def text_of(value: Any) -> str:
    """How a value reads when a text is wanted: strings as they are, nothing as "", the rest as compact JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else compact_json(value)


def json_type(value: Any) -> str:
    """The JSON name of a value's type; integers are numbers."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if is_number(value):
        return "number"
    if is_object(value):
        return "object"
    return "array" if is_array(value) else type(value).__name__


def _whole_floats_as_ints(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if is_object(value):
        return {str(k): _whole_floats_as_ints(v) for k, v in value.items()}
    if is_array(value):
        return [_whole_floats_as_ints(v) for v in value]
    return value
