"""Servers that spell keys or event types in their own way: what they mean must not go unseen."""

from collections.abc import Iterable, Mapping

from vivavoce.model.json_value import JsonValue

SNAKE_CASE = {
    "messageId": "message_id",
    "parentMessageId": "parent_message_id",
    "toolCallId": "tool_call_id",
    "toolCallName": "tool_call_name",
    "toolCalls": "tool_calls",
}
"""Keys that Python servers forget to rename."""


def read_key(told: Mapping[str, JsonValue], key: str) -> JsonValue:
    """The value of a key, also when it is written in snake_case."""
    found = told.get(key)
    return told.get(SNAKE_CASE.get(key, key)) if found is None else found


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


def tells_of_calls(written: str) -> bool:
    """Whether an event of an unknown type seems to be about tool calls."""
    return _letters(written).startswith("TOOLCALL")


def _letters(kind: str) -> str:
    return "".join(filter(str.isalnum, kind)).upper()
