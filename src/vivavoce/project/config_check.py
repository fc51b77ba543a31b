"""A configuration as it was written → Config, or every field in it that is wrong, each with its own line."""

from collections.abc import Callable, Iterator
from typing import Any, TypeGuard, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from vivavoce.errors import ManyProblems, UsageError, did_you_mean
from vivavoce.model.case import Origin
from vivavoce.model.json_value import is_array, is_object
from vivavoce.project.settings import Config

Steps = tuple[str | int, ...]
LineOf = Callable[[Steps], int]


def checked_config(value: Any, shown: str, line_of: LineOf) -> Config:
    """The configuration. Raises UsageError with all that is wrong; `shown` is its file."""
    try:
        return msgspec.convert(value, Config)
    except msgspec.ValidationError as error:
        problems = [
            UsageError(what, at=Origin(shown, line_of(steps)), hint=hint)
            for steps, what, hint in _objections(value, Config, ())
        ]
        if not problems:
            raise UsageError(str(error), at=shown) from None
        raise problems[0] if len(problems) == 1 else ManyProblems(problems) from None


def written(steps: Steps) -> str:
    """`agents.app.tools[0]`"""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def _objections(value: Any, kind: Any, steps: Steps) -> Iterator[tuple[Steps, str, str | None]]:
    """Goes down to the very field, where msgspec stops at the first mistake and calls every key `[...]`."""
    kind = _fitting(kind, value)
    if is_object(value) and _is_struct(kind):
        yield from _objections_to_fields(value, kind, steps)
    elif is_object(value) and get_origin(kind) is dict:
        for key, inner in value.items():
            yield from _objections(inner, get_args(kind)[1], (*steps, key))
    elif is_array(value) and get_origin(kind) is list:
        for index, inner in enumerate(value):
            yield from _objections(inner, get_args(kind)[0], (*steps, index))
    else:
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            yield steps, f"{written(steps)}: {error}".removeprefix(": "), None


def _objections_to_fields(
    value: dict[str, Any], kind: type[Struct], steps: Steps
) -> Iterator[tuple[Steps, str, str | None]]:
    hints = get_type_hints(kind, include_extras=True)
    for name, inner in value.items():
        at = (*steps, name)
        if name in hints:
            yield from _objections(inner, hints[name], at)
        else:
            hint = did_you_mean(str(name), list(hints)) or f"known: {', '.join(hints)}"
            yield at, f"unknown field {written(at)}", hint
    for field in msgspec.structs.fields(kind):
        if field.required and field.name not in value:
            yield steps, f"{written((*steps, field.name))} is missing", None


def _fitting(kind: Any, value: Any) -> Any:
    """Of `A | list[B] | None` the one that the value was meant as; the whole where that is not clear."""
    options = [option for option in get_args(kind) if option is not type(None)]
    if get_origin(kind) in (dict, list) or not options or not (is_object(value) or is_array(value)):
        return kind
    for option in options:
        if is_array(value) and get_origin(option) is list:
            return option
        if is_object(value) and (get_origin(option) is dict or _is_struct(option)):
            return option
    return kind


def _is_struct(kind: Any) -> TypeGuard[type[Struct]]:
    return isinstance(kind, type) and issubclass(kind, Struct)
