"""Values from user code as plain JSON, or the exact place where they are not."""

import math
from typing import Any

from msgspec import Struct, structs

from vivavoce.containment.user_errors import UserCode, describe_exception
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object

LONGEST_INTEGER_BITS = 13_288
"""About 4,000 digits."""


class NotJson(ValueError):
    """A value that is not JSON. The message says where and what: `$.score is NaN`."""


def as_json(value: JsonValue) -> JsonValue:
    """The value in dicts, lists, strings, numbers, booleans and None. Raises NotJson."""
    with UserCode(_not_json):
        return _plain(value, "$")


def _not_json(error: BaseException) -> NotJson:
    if isinstance(error, NotJson):
        return error
    if isinstance(error, RecursionError):
        return NotJson("$ contains itself or is nested too deeply")
    return NotJson(f"reading it raised {describe_exception(error)}")


def _plain(value: JsonValue, path: str) -> JsonValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, int):
        return _whole(value, path)
    if isinstance(value, float):
        return _number(value, path)
    if is_object(value):
        return {_key(key, path): _plain(inner, f"{path}.{key}") for key, inner in value.items()}
    if is_array(value):
        return [_plain(inner, f"{path}[{at}]") for at, inner in enumerate(value)]
    return _plain(_fields_of(value, path), path)


def _whole(value: int, path: str) -> int:
    # Python refuses to write longer ones as text, which every report does.
    if value.bit_length() > LONGEST_INTEGER_BITS:
        raise NotJson(f"{path} is a number of more than 4,000 digits")
    return int(value)


def _text(value: str, path: str) -> str:
    text = str.__str__(value)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise NotJson(f"{path} holds half of a character at {error.start} (a lone surrogate)") from None
    return text


def _number(value: float, path: str) -> float:
    if math.isfinite(value):
        return float(value)
    raise NotJson(f"{path} is {'NaN' if math.isnan(value) else 'Infinity' if value > 0 else '-Infinity'}")


def _key(key: JsonValue, path: str) -> str:
    if isinstance(key, str):
        return _text(key, path)
    raise NotJson(f"{path} has the key {key!r}, which is not text")


def _fields_of(value: JsonValue, path: str) -> JsonObject:
    if isinstance(value, Struct):
        return structs.asdict(value)
    if hasattr(value.__class__, "__dataclass_fields__"):
        import dataclasses

        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    dump: Any = getattr(value, "model_dump", None)  # pydantic's models, without importing pydantic
    if callable(dump) and not isinstance(value, type):
        dumped: JsonValue = dump(mode="json")
        return dumped
    raise NotJson(f"{path} is of type {type(value).__name__}, which is not JSON")
