"""Reads states, roles, events and parts as any version of A2A spells them, and gives each one spelling."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, object_in

FINISHED = frozenset({"completed", "failed", "canceled", "rejected"})
WAITING = frozenset({"input-required", "auth-required"})
RUNNING = frozenset({"submitted", "working"})
STATES = FINISHED | WAITING | RUNNING

EventKind: TypeAlias = Literal["task", "status", "artifact", "message"]
PartKind: TypeAlias = Literal["text", "data", "file", "unknown"]

_WRAPPERS: dict[str, EventKind] = {
    "task": "task",
    "statusUpdate": "status",
    "artifactUpdate": "artifact",
    "message": "message",
    "msg": "message",
}
_KINDS: dict[str, EventKind] = {
    "task": "task",
    "status-update": "status",
    "artifact-update": "artifact",
    "message": "message",
}
_FILE_FIELDS = ("file", "raw", "url")


class Part(Struct, frozen=True, kw_only=True):
    """A part of a message or artifact."""

    kind: PartKind
    value: JsonValue
    """The text, the data, the file's own fields; of an unknown part all of it."""
    metadata: JsonObject = {}

    @property
    def is_thought(self) -> bool:
        """Whether it is the model's reasoning, which is shown and not judged."""
        return bool(self.metadata.get("adk_thought")) or self.metadata.get("type") == "thinking"


def state_of(value: JsonValue) -> str:
    """`TASK_STATE_INPUT_REQUIRED` and `input-required` are one state; empty when there is none."""
    if not isinstance(value, str):
        return ""
    return value.upper().removeprefix("TASK_STATE_").replace("_", "-").lower()


def is_of_user(message: JsonObject) -> bool:
    """Whether a message is the user's own, which some servers send back."""
    return str(message.get("role") or "").lower().removeprefix("role_") == "user"


def event_of(result: JsonValue) -> tuple[EventKind | None, JsonObject]:
    """What a result or an event of a stream is, and its own fields. None for what no version of A2A has."""
    if not is_object(result):
        return None, {}
    kind = result.get("kind")
    if "status" not in result and not isinstance(kind, str):
        for key, name in _WRAPPERS.items():
            if is_object(inner := result.get(key)):
                return name, inner
    if isinstance(kind, str) and kind in _KINDS:
        return _KINDS[kind], result
    if is_object(result.get("artifact")):
        return "artifact", result
    if is_object(result.get("status")):
        return ("status" if result.get("taskId") else "task"), result
    if is_array(result.get("parts")) or is_array(result.get("content")):
        return "message", result
    return None, result


def parts_of(thing: JsonObject) -> list[Part]:
    """The parts of a message or artifact. v0.3 calls them `content` over HTTP+JSON."""
    found: JsonValue = thing.get("parts") if thing.get("parts") is not None else thing.get("content")
    listed = found if is_array(found) else [] if found is None else [found]
    return [_part(each) for each in listed]


def objects_in(value: JsonValue) -> Iterator[JsonObject]:
    """The objects of a list; nothing for what is no list."""
    return (each for each in value if is_object(each)) if is_array(value) else iter(())


def text_in(thing: JsonObject, *keys: str) -> str:
    """The first text that stands under one of the keys, or an empty one."""
    return next((value for key in keys if isinstance(value := thing.get(key), str) and value), "")


def _part(part: JsonValue) -> Part:
    if not is_object(part):
        return Part(kind="unknown", value=part)
    metadata = object_in(part, "metadata")
    if isinstance(text := part.get("text"), str):
        return Part(kind="text", value=text, metadata=metadata)
    if part.get("data") is not None:
        data: JsonValue = part["data"]
        # HTTP+JSON of v0.3 wraps data twice.
        if is_object(data) and data.keys() == {"data"} and "kind" not in part:
            data = data["data"]
        return Part(kind="data", value=data, metadata=metadata)
    if any(part.get(field) for field in _FILE_FIELDS):
        return Part(kind="file", value={**part, **object_in(part, "file")}, metadata=metadata)
    return Part(kind="unknown", value=part, metadata=metadata)
