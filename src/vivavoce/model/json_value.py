"""JSON values as plain Python: what they are, when two are equal, how they read as text."""

import math
from collections.abc import Callable, Container, Iterator
from typing import Annotated, Any, TypeAlias, TypeGuard

import msgspec

JsonValue: TypeAlias = Any
"""Data from a JSON or YAML document: None, bool, int, float, str, or a list or object of these.

It is `Any` to the type checker, because every reader narrows it with `isinstance`, `is_object` or `is_array`.
"""
JsonObject: TypeAlias = dict[str, JsonValue]
"""A JSON object."""
JsonArray: TypeAlias = list[JsonValue]
"""A JSON array."""
KEPT_AS_IS = "kept_as_is"
Name: TypeAlias = Annotated[str, msgspec.Meta(extra={KEPT_AS_IS: True})]
"""A text that viva made, or that identifies something (a path, a hash). Secrets in it are not masked."""

_LARGEST_EXACT = 1e22
"""Up to here every power of ten is exact; larger floats are written as floats."""
_compact_encoder = msgspec.json.Encoder(order="sorted")


def is_object(value: object) -> TypeGuard[JsonObject]:
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[JsonArray]:
    return isinstance(value, (list, tuple))


def is_nan_or_infinite(value: object) -> bool:
    """Whether it is NaN or an infinity (also `1e400`): Python has them, JSON does not."""
    return isinstance(value, float) and not math.isfinite(value)


def is_number(value: object) -> TypeGuard[int | float]:
    """JSON's number: `True` is not one."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def object_in(value: JsonObject, key: str) -> JsonObject:
    """The object under a key; an empty one for anything else, null too."""
    found = value.get(key)
    return found if is_object(found) else {}


def map_texts(value: JsonValue, change: Callable[[str], JsonValue]) -> JsonValue:
    """Returns a copy of the value with every text inside it replaced by `change(text)`. Keys stay as they are."""
    if isinstance(value, str):
        return change(value)
    if is_object(value):
        return {key: map_texts(inner, change) for key, inner in value.items()}
    if is_array(value):
        return [map_texts(inner, change) for inner in value]
    return value


def iter_texts(value: JsonValue, *, without: Container[str] = ()) -> Iterator[str]:
    """Yields every text inside the value in order, but no keys; nothing under the keys in `without`."""
    return (leaf for leaf in iter_leaves(value, without=without) if isinstance(leaf, str))


def iter_leaves(value: JsonValue, *, without: Container[str] = ()) -> Iterator[JsonValue]:
    """Yields everything inside the value that is no object and no array; nothing under the keys in `without`."""
    if is_object(value):
        for key, inner in value.items():
            if key not in without:
                yield from iter_leaves(inner, without=without)
    elif is_array(value):
        for inner in value:
            yield from iter_leaves(inner, without=without)
    else:
        yield value


def json_equal(left: JsonValue, right: JsonValue) -> bool:
    """Structural JSON equality: key order never matters, `1` equals `1.0`, `1` never equals `true`."""
    if is_object(left) and is_object(right):
        return left.keys() == right.keys() and all(json_equal(left[k], right[k]) for k in left)
    if is_array(left) and is_array(right):
        return len(left) == len(right) and all(map(json_equal, left, right))
    if is_number(left) and is_number(right):
        return left == right
    return type(left) is type(right) and left == right


def compact_json(value: JsonValue) -> str:
    """One line, no spaces, sorted keys, `1.0` written as `1`: the text assertions search."""
    return _compact_encoder.encode(_whole_floats_as_ints(value)).decode()


def rounded(value: JsonValue) -> JsonValue:
    """The value as people read it: numbers with 12 digits, so that 0.1 + 0.2 is 0.3."""
    try:
        return _rounded(value)
    except RecursionError:
        return value


def rounding_hides(found: JsonValue, wanted: JsonValue) -> bool:
    """Whether two different values look the same once rounded. Always true for a float and a pattern."""
    if isinstance(wanted, str) and isinstance(found, float):
        return True
    try:
        return json_equal(rounded(found), rounded(wanted)) and not json_equal(found, wanted)
    except RecursionError:
        return False


def text_of(value: JsonValue) -> str:
    """Returns the value as text: a string unchanged, null as "", everything else as compact JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else compact_json(value)


def json_type(value: JsonValue) -> str:
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


def _rounded(value: JsonValue) -> JsonValue:
    if isinstance(value, float):
        return float(f"{value:.12g}")
    if is_object(value):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if is_array(value) else value


def _whole_floats_as_ints(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_EXACT:
        return int(value)
    if is_object(value):
        return {str(k): _whole_floats_as_ints(v) for k, v in value.items()}
    if is_array(value):
        return [_whole_floats_as_ints(v) for v in value]
    return value
