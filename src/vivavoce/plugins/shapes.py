"""Whether what a plug-in brought can be used as what it says it is, before anything calls it."""

from types import FunctionType
from typing import get_args

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonValue
from vivavoce.plugins.declarations import AgentFields, ReportFormat, TargetKind


def assertion_shape(name: str, thing: JsonValue) -> str:
    """An assertion is a msgspec Struct class with an async `check(evidence, helpers)`. Raises for unusable fields."""
    if not (isinstance(thing, type) and issubclass(thing, Struct)):
        return f"an assertion must be a msgspec.Struct class, not {_kind_of(thing)}"
    from vivavoce.protocols import Sight  # loaded here: a process without plug-ins may need none of it

    check: JsonValue = getattr(thing, "check", None)
    if not callable(check):
        return f"{thing.__name__} has no method check"
    if isinstance(check, FunctionType) and not _is_async(check):
        return f"{thing.__name__}.check must be an `async def`"
    for about in ("judges", "doubted_by"):
        said: object = getattr(thing, about, "both")
        is_of_the_instance = isinstance(said, property) or about in thing.__struct_fields__
        if not is_of_the_instance and said not in get_args(Sight):
            return f"{about} of {thing.__name__} must be one of {', '.join(get_args(Sight))}, not {said!r}"
    msgspec.json.schema(thing)
    return ""


def target_shape(name: str, thing: JsonValue) -> str:
    """A kind of agent is a TargetKind whose target can be called."""
    if not isinstance(thing, TargetKind):
        return f"a kind of agent must be a vivavoce.plugins.TargetKind, not {_kind_of(thing)}"
    if not isinstance(thing.target, str) and not callable(thing.target):
        return f"its target must be a class, not {_kind_of(thing.target)}"
    fields: JsonValue = thing.fields
    if fields is not None and not (isinstance(fields, type) and issubclass(fields, AgentFields)):
        return f"its fields must be a subclass of vivavoce.plugins.AgentFields, not {_kind_of(fields)}"
    return ""


def report_shape(name: str, thing: JsonValue, *, taken: frozenset[str]) -> str:
    """A report format is a ReportFormat whose writer can be called. Suffixes of built-in formats are `taken`."""
    if not isinstance(thing, ReportFormat):
        return f"a report format must be a vivavoce.plugins.ReportFormat, not {_kind_of(thing)}"
    if not isinstance(thing.write, str) and not callable(thing.write):
        return f"its write must be a function, not {_kind_of(thing.write)}"
    wrong = [suffix for suffix in thing.suffixes if not suffix.startswith(".")]
    if wrong:
        return f"a suffix must begin with a dot: {wrong[0]!r}"
    both = sorted(taken.intersection(thing.suffixes))
    return f"the suffix {both[0]} belongs to a built-in format" if both else ""


def callable_shape(name: str, thing: JsonValue) -> str:
    """A connector or an executor is a class or function that builds one."""
    return "" if callable(thing) else f"it must be a class or a function, not {_kind_of(thing)}"


def _is_async(function: FunctionType) -> bool:
    from inspect import iscoroutinefunction, unwrap

    return iscoroutinefunction(unwrap(function))


def _kind_of(thing: JsonValue) -> str:
    return f"the class {thing.__name__}" if isinstance(thing, type) else f"an object of class {type(thing).__name__}"
