"""What user code says of its tool calls and of what it spent → ToolCall and Usage."""

from math import ceil
from typing import Any

from msgspec import UNSET

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import is_array, is_number, is_object, json_type, text_of
from vivavoce.model.message import ToolCall, Usage
from vivavoce.notation.json_text import call_arguments

_ARGUMENT_KEYS = ("args", "arguments", "input", "parameters")
_CALL_KEYS = frozenset(
    {"id", "index", "type", "function", "name", "tool", "result", "error", "started_ms", "completed_ms", "timestamp"}
).union(_ARGUMENT_KEYS)
_TOKEN_NAMES = (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens"))
_MOST = 2.0**53
"""More than this nobody spends; it also keeps infinity out."""


def unreadable(what: str) -> CallFailed:
    """For an answer that came but cannot be what was meant: the agent's error."""
    return CallFailed(what, fault="agent")


# ── tool calls ──────────────────────────────────────────────────────────────────────


def read_calls(value: Any) -> tuple[ToolCall, ...]:
    if value is None:
        return ()
    if not is_array(value):
        raise unreadable(f"$.tool_calls is of type {json_type(value)}, wanted an array")
    return tuple(_call(item, f"$.tool_calls[{at}]") for at, item in enumerate(value))


def _call(value: Any, path: str) -> ToolCall:
    if isinstance(value, str) and value:
        return ToolCall(name=value)
    if not is_object(value):
        raise unreadable(f"{path} is of type {json_type(value)}, wanted an object with a name")
    told = _flat(value)
    name = told.get("name") or told.get("tool")
    if not isinstance(name, str):
        raise unreadable(f"{path} has no name")
    error = told.get("error")
    arguments = [told[key] for key in _ARGUMENT_KEYS if told.get(key) is not None]
    return ToolCall(
        id=text_of(told.get("id")),
        name=name,
        args=call_arguments(arguments[0] if arguments else None),
        result=told.get("result", UNSET),
        error=text_of(error) if error else None,
        started_ms=_milliseconds(told.get("started_ms")),
        completed_ms=_milliseconds(told.get("completed_ms", told.get("timestamp"))),
    )


def _flat(call: dict[str, Any]) -> dict[str, Any]:
    """A call with what OpenAI puts under `function` beside the rest."""
    function: Any = call.get("function")
    return {**call, **function} if is_object(function) else call


def unread_in_calls(value: Any) -> list[str]:
    """What calls say that is read by nobody, as `tool_calls[0].output`."""
    calls = enumerate(value) if is_array(value) else ()
    unread: list[str] = []
    for at, call in calls:
        told = {key: said for key, said in _flat(call).items() if said is not None} if is_object(call) else {}
        spellings = [key for key in _ARGUMENT_KEYS if key in told]
        unread += [f"tool_calls[{at}].{key}" for key in (*sorted(told.keys() - _CALL_KEYS), *spellings[1:])]
    return unread


def _milliseconds(value: Any) -> float | None:
    return float(value) if is_number(value) else None


# ── what was spent ───────────────────────────────────────────────────────────────────


def read_usage(value: Any) -> Usage | None:
    """What was spent, None when nothing we know was told. A figure that is none must not be read as little."""
    if value is None:
        return None
    if not is_object(value):
        raise unreadable(f"$.usage is of type {json_type(value)}, wanted an object")
    spent = [_figure(value, names) for names in _TOKEN_NAMES]
    cost = _figure(value, ("cost",))
    if spent == [None, None] and cost is None:
        return None
    return Usage(*(ceil(count or 0) for count in spent), cost=None if cost is None else float(cost))


def refuse_bad_usage(usage: Usage | None) -> None:
    """Refuses the usage of a ready-made reply when its figures are none."""
    for name in () if usage is None else usage.__struct_fields__:
        _figure({name: getattr(usage, name)}, (name,))


def _figure(usage: dict[str, Any], names: tuple[str, ...]) -> int | float | None:
    for name in names:
        value = usage.get(name)
        if value is None:
            continue
        if is_number(value) and 0 <= value <= _MOST:
            return value
        raise unreadable(f"$.usage.{name} is {value!r:.80}, wanted a number, 0 or more")
    return None
