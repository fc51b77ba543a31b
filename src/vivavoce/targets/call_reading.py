"""What user code says of its tool calls and of what it spent → ToolCall and Usage."""

from collections.abc import Sequence
from math import ceil
from typing import Any

from msgspec import UNSET

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import is_array, is_number, is_object, json_type, text_of
from vivavoce.model.message import ToolCall, Unread, Usage
from vivavoce.notation.content_parts import id_of
from vivavoce.notation.hidden_calls import unread
from vivavoce.notation.json_text import call_arguments, object_or_text
from vivavoce.notation.possible_names import possible_names
from vivavoce.wording.quoting import shorten

_NAME_KEYS = ("name", "tool", "tool_name", "toolName", "function", "function_name")
_ARGUMENT_KEYS = ("args", "arguments", "input", "parameters", "tool_input", "tool_args", "toolInput", "kwargs")
_RESULT_KEYS = ("result", "output", "tool_output", "observation")
_CALL_KEYS = frozenset(
    {
        *(*_NAME_KEYS, *_ARGUMENT_KEYS, *_RESULT_KEYS),
        *(
            "id",
            "call_id",
            "tool_call_id",
            "toolCallId",
            "toolUseId",
            "tool_use_id",
            "index",
            "type",
            "status",
            "state",
        ),
        *("error", "started_ms", "completed_ms", "timestamp", "caller", "namespace"),
    }
)
_BESIDE_A_CALL = frozenset(
    {
        *("agent", "agent_name", "server", "server_name", "server_label", "provider", "model", "node", "description"),
        *("started_at", "ended_at", "finished_at", "completed_at", "created_at", "duration", "latency", "elapsed"),
        *("run_id", "trace_id", "span_id", "parent_id", "session_id", "thread_id", "message_id"),
    }
)
"""Fields of a call that tell who called, where and when: texts there are no arguments and no result."""
_TOKEN_NAMES = (("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens"))
_MOST = 2.0**53
"""More than this nobody spends; it also keeps infinity out."""


def unreadable(what: str) -> CallFailed:
    """The error for an answer that makes no sense: the agent's fault."""
    return CallFailed(what, fault="agent")


# ── tool calls ──────────────────────────────────────────────────────────────────────


def read_calls(value: Any) -> tuple[ToolCall, ...]:
    if value is None:
        return ()
    if not is_array(value):
        raise unreadable(f"$.tool_calls is of type {json_type(value)}, wanted an array")
    return tuple(read_call(item, f"$.tool_calls[{at}]") for at, item in enumerate(value))


def read_call(value: Any, path: str) -> ToolCall:
    """A call in any of the usual spellings. Raises CallFailed for one without a name."""
    if isinstance(value, str) and "{" in value:
        value = object_or_text(value)
    if isinstance(value, str) and value:
        if "{" in value or "\n" in value:
            raise unreadable(f"{path} is a text that is no tool's name: {shorten(value, 80)}")
        return ToolCall(name=value)
    if not is_object(value):
        raise unreadable(f"{path} is of type {json_type(value)}, wanted an object with a name")
    told = _flat(value)
    name = name_of(told)
    if not name or "{" in name:
        raise unreadable(f"{path} has no name")
    error = told.get("error")
    arguments = [told[key] for key in _ARGUMENT_KEYS if told.get(key) is not None]
    results = [told[key] for key in _RESULT_KEYS if key in told]
    return ToolCall(
        id=id_of(told),
        name=name,
        args=call_arguments(arguments[0] if arguments else None),
        result=results[0] if results else UNSET,
        error=text_of(error) if error else None,
        started_ms=_milliseconds(told.get("started_ms")),
        completed_ms=_milliseconds(told.get("completed_ms", told.get("timestamp"))),
    )


def name_of(call: dict[str, Any]) -> str:
    """The tool's name under whichever key it stands; empty when there is none."""
    return next((call[key] for key in _NAME_KEYS if call.get(key) and isinstance(call[key], str)), "")


def _flat(call: dict[str, Any]) -> dict[str, Any]:
    """A call with what OpenAI puts under `function` beside the rest."""
    function: Any = call.get("function")
    if isinstance(function, str) and "{" in function:
        function = object_or_text(function)
    return {**call, **function} if is_object(function) else call


def unread_in_calls(calls: Sequence[Any], where: str = "$") -> list[Unread]:
    """Unread fields of calls: they may hold arguments or a result under another name."""
    found: list[Unread] = []
    for at, given in enumerate(calls):
        call: Any = object_or_text(given) if isinstance(given, str) and "{" in given else given
        told = {key: said for key, said in _flat(call).items() if _says_something(said)} if is_object(call) else {}
        spellings = [key for key in _ARGUMENT_KEYS if key in told]
        results = [key for key in _RESULT_KEYS if key in told]
        names = [key for key in _NAME_KEYS if key in told and isinstance(told[key], str)]
        missed = (*sorted(told.keys() - _CALL_KEYS), *spellings[1:], *results[1:], *names[1:])
        if is_object(call):
            missed = (*missed, *(key for key in _NAME_KEYS if key in call and _is_another_call(key, call)))
        for key in missed:
            value, place = told.get(key, call.get(key)), f"{where}.tool_calls[{at}].{key}"
            is_beside = key in _BESIDE_A_CALL and isinstance(value, str) and "{" not in value
            found += possible_names(value, place) if is_beside else [unread(value, place, "call")]
    return found


def _is_another_call(key: str, call: dict[str, Any]) -> bool:
    """Whether something that is no name stands where the name should, beside a call under `function`."""
    if key == "function":
        return False
    return is_object(call[key]) or is_array(call[key]) or (isinstance(call[key], str) and "{" in call[key])


def _says_something(value: Any) -> bool:
    """Numbers, booleans and empty values hold neither arguments nor results worth reading."""
    return value is not None and not isinstance(value, bool) and not is_number(value) and value not in ("", [], {})


def _milliseconds(value: Any) -> float | None:
    return float(value) if is_number(value) else None


# ── what was spent ───────────────────────────────────────────────────────────────────


def read_usage(value: Any) -> Usage | None:
    """The usage; None when no known field is there. A field that is not a number must not be read as a small one."""
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
        raise unreadable(f"$.usage.{name} is {shorten(repr(value), 80)}, wanted a number, 0 or more")
    return None
