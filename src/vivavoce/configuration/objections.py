"""Finds all errors of a value for a type, field by field: msgspec stops at the first and calls every key `[...]`."""

import re
from collections.abc import Iterator
from typing import Any, Literal, TypeGuard, get_args, get_origin

import msgspec
from msgspec import Struct

from vivavoce.errors import did_you_mean
from vivavoce.model.json_value import is_array, is_object
from vivavoce.notation.validation_errors import plain_words

Steps = tuple[str | int, ...]
Objection = tuple[Steps, str, str | None]
"""Where, what, and what to do."""


def objections(value: Any, kind: Any, steps: Steps, *, also_known: tuple[str, ...] = ()) -> Iterator[Objection]:
    """Every objection to a value. `also_known` are fields that hints name and that are checked elsewhere."""
    kind = _fitting(kind, value)
    if is_object(value) and _is_struct(kind):
        yield from _objections_to_fields(value, kind, steps, also_known)
    elif is_object(value) and get_origin(kind) is dict:
        for key, inner in value.items():
            yield from objections(inner, get_args(kind)[1], (*steps, key))
    elif is_array(value) and get_origin(kind) is list:
        for index, inner in enumerate(value):
            yield from objections(inner, get_args(kind)[0], (*steps, index))
    else:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            allowed = _words_allowed(kind)
            if allowed and isinstance(value, str):
                what, hint = f"{value!r} is not one of {', '.join(allowed)}", did_you_mean(value, allowed)
            else:
                what, hint = _plainly(str(error))
            yield steps, f"{written(steps)}: {what}".removeprefix(": "), hint


_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a mapping",
    "null": "nothing",
}


def _plainly(complaint: str) -> tuple[str, str | None]:
    """msgspec's "Expected `str | null`, got `int`" for people who write YAML."""
    match = re.match(r"Expected `([^`]+)`, got `([^`]+)`", complaint)
    if match is None:
        return plain_words(complaint), None
    wanted = [_WORDS.get(kind, kind) for kind in match[1].split(" | ") if kind != "null"]
    hint = "put it in quotes" if wanted == ["text"] and match[2] in ("int", "float", "bool") else None
    return f"wanted {' or '.join(wanted)}, found {_WORDS.get(match[2], match[2])}", hint


def written(steps: Steps) -> str:
    """`agents.app.tools[0]`"""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def _objections_to_fields(
    value: dict[str, Any], kind: type[Struct], steps: Steps, also_known: tuple[str, ...]
) -> Iterator[Objection]:
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name, inner in value.items():
        at = (*steps, name)
        if name in fields:
            yield from objections(inner, fields[name].type, at)
        else:
            known = [*fields, *also_known]
            yield at, f"unknown field {written(at)}", did_you_mean(str(name), known) or f"known: {', '.join(known)}"
    for name, field in fields.items():
        if field.required and name not in value:
            yield steps, f"{written((*steps, name))} is missing", None


def _fitting(kind: Any, value: Any) -> Any:
    """Of `A | list[B] | None` the one that the value was meant as; the whole where that is not clear."""
    if hasattr(kind, "__metadata__") and (is_object(value) or is_array(value)):
        kind = get_args(kind)[0]
    options = [option for option in get_args(kind) if option is not type(None)]
    if get_origin(kind) in (dict, list) or not options or not (is_object(value) or is_array(value)):
        return kind
    for option in options:
        if is_array(value) and get_origin(option) is list:
            return option
        if is_object(value) and (get_origin(option) is dict or _is_struct(option)):
            return option
    return kind


def _words_allowed(kind: Any) -> list[str]:
    """The words of a Literal, also of one that may be left out; none for other types."""
    if hasattr(kind, "__metadata__"):
        return _words_allowed(get_args(kind)[0])
    options = get_args(kind)
    if get_origin(kind) is Literal:
        return [option for option in options if isinstance(option, str)]
    inside = [option for option in options if get_origin(option) is Literal]
    return _words_allowed(inside[0]) if len(inside) == 1 and len(options) == 2 else []


def _is_struct(kind: Any) -> TypeGuard[type[Struct]]:
    return isinstance(kind, type) and issubclass(kind, Struct)
