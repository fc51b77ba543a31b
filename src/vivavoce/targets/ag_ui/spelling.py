"""Servers that spell keys or event types in their own way: what they mean must not go unseen."""

from collections.abc import Iterable, Mapping

from vivavoce.model.json_value import JsonValue, is_array, is_object
from vivavoce.notation.hidden_calls import tool_names_in

SNAKE_CASE = {
    "messageId": "message_id",
    "parentMessageId": "parent_message_id",
    "toolCallId": "tool_call_id",
    "toolCallName": "tool_call_name",
    "toolCalls": "tool_calls",
}
"""Keys that Python servers forget to rename."""
_MARKS_OF_CALLS = (
    *("TOOLCALL", "TOOLSTART", "TOOLUSE", "TOOLEXEC", "TOOLINVO"),
    *("FUNCTIONCALL", "ACTIONEXEC", "CALLTOOL"),
)
_TOOL_KEYS = frozenset({"TOOL", "TOOLNAME", "TOOLCALLNAME", "ACTIONNAME", "FUNCTIONNAME"})


def read_key(told: Mapping[str, JsonValue], key: str) -> JsonValue:
    """The value of a key, also when it is written in snake_case."""
    found = told.get(key)
    return told.get(SNAKE_CASE.get(key, key)) if found is None else found


def written_calls(message: Mapping[str, JsonValue]) -> JsonValue:
    """The tool calls of a snapshot's message, from both spellings of the key: a call under both is one."""
    first, second = message.get("toolCalls"), message.get("tool_calls")
    if not first or not second:
        return first or second
    if is_array(first) and is_array(second):
        return [*first, *(call for call in second if call not in first)]
    return [first, second]


def names_of(call: Mapping[str, JsonValue]) -> set[str]:
    """Every name that a snapshot's call gives the tool: one, unless it is unclear which tool was called."""
    function = call.get("function")
    return tool_names_in(call) | (tool_names_in(function) if is_object(function) else set())


def read_id(event: Mapping[str, JsonValue], key: str) -> str:
    """An id or name as text; nothing when it is missing."""
    found = event.get(key)
    if type(found) is str:
        return found
    found = read_key(event, key)
    return "" if found is None else str(found)


def meant_type(written: str, known: Iterable[str]) -> str | None:
    """The event type that a wrong spelling means: `tool_call_start` or `ToolCallStart` is TOOL_CALL_START."""
    letters = _letters(written)
    return next((kind for kind in known if _letters(kind) == letters), None)


def is_about_calls(written: str) -> bool:
    """Whether the name of an event that AG-UI does not have seems to be about tool calls."""
    letters = _letters(written)
    return any(mark in letters for mark in _MARKS_OF_CALLS)


def names_a_tool(event: Mapping[str, JsonValue]) -> bool:
    """Whether an event has the name of a tool, under any key that is for nothing else."""
    return any(value and isinstance(value, str) and _letters(key) in _TOOL_KEYS for key, value in event.items())


def _letters(kind: str) -> str:
    return "".join(filter(str.isalnum, kind)).upper()
