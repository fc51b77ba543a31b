"""Unknown fields, and known ones of another type: they may hold a call that the reader does not see."""

from collections.abc import Iterator

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, object_in
from vivavoce.model.message import Unread
from vivavoce.notation.data_in_text import data_in_text
from vivavoce.notation.hidden_calls import mentions_calls, plain_key, says_something, unread
from vivavoce.notation.possible_names import names_beside
from vivavoce.targets.a2a.spelling import objects_in

_READ_OF_EVENTS = frozenset({"status", "artifact", "artifacts", "history", "metadata"})
_READ_OF_STATUS = frozenset({"message", "metadata"})
_READ_OF_PARTS = frozenset({"text", "data", "file", "raw", "url", "metadata"})
_OF_MESSAGES = frozenset(
    {
        *("kind", "messageId", "role", "contextId", "taskId", "referenceTaskIds", "extensions", "metadata"),
        *("artifactId", "name", "description"),
    }
)
_NO_NAMES = frozenset({"state", "timestamp", "mimeType", "mediaType", "filename", "url", "bytes", "jsonrpc"})
_OBJECTS = ("status", "artifact", "metadata", "message")
_IDS_OF_CALLS = frozenset({"toolcallid", "toolresults", "toolresult", "tooluseid", "callid"})
_DEEPEST = 40


def strange_fields(result: JsonValue, body: JsonObject, *, is_message: bool) -> Iterator[Unread]:
    """What may be a call in the unread parts of a result or event. `body` is the part that is read."""
    if is_object(result) and result is not body:
        yield from _unknown({key: value for key, value in result.items() if value is not body}, frozenset())
    status = object_in(body, "status")
    yield from _unknown(body, _read_of_message(body) if is_message else _READ_OF_EVENTS)
    yield from _unknown(status, _READ_OF_STATUS)
    things = [
        *(object_in(status, "message"), *objects_in(body.get("history"))),
        *(object_in(body, "artifact"), *objects_in(body.get("artifacts"))),
    ]
    for thing in things:
        yield from _unknown(thing, _read_of_message(thing))
    for thing in (*things, *([body] if is_message else [])):
        rest = {key: value for key, value in thing.items() if key not in _OF_MESSAGES}
        if thing.get("parts") is None and thing.get("content") is None and says_something(rest):
            yield unread(thing, "a message or artifact without parts")
    for thing in (body, *things):
        for part in objects_in(thing.get("parts") if thing.get("parts") is not None else thing.get("content")):
            yield from _unknown(part, _READ_OF_PARTS)


def _read_of_message(message: JsonObject) -> frozenset[str]:
    """What is read of a message or artifact: its parts, under one of two keys."""
    return frozenset({"content" if message.get("parts") is None else "parts", "metadata"})


def may_be_about_calls(value: JsonValue, depth: int = 0) -> bool:
    """Whether a value nobody reads is about calls: by its form, by its keys, or by the id of one."""
    if depth > _DEEPEST:
        return True
    if depth == 0 and mentions_calls(value):
        return True
    if is_array(value):
        return any(may_be_about_calls(inner, depth + 1) for inner in value)
    if isinstance(value, str):
        return "{" in value and any(may_be_about_calls(inner, depth + 1) for inner in data_in_text(value))
    if not is_object(value):
        return False
    named = any(plain_key(key) in _IDS_OF_CALLS and says_something(inner) for key, inner in value.items())
    return named or any(may_be_about_calls(inner, depth + 1) for inner in value.values())


def _unknown(thing: JsonObject, read: frozenset[str]) -> Iterator[Unread]:
    for key, value in thing.items():
        if key in _OBJECTS and key in read:
            if not is_object(value) and says_something(value):
                yield unread(value, f"`{key}` that is no object")
        elif key not in read and may_be_about_calls({key: value}):
            yield unread({key: value}, "a field that A2A does not have", "call")
        elif key not in read | _OF_MESSAGES | _NO_NAMES:
            yield from names_beside({key: value}, (), "a field that A2A does not have")
