"""Finds what the reader of events ignores although it may hold a call, and keeps it as unread."""

from collections.abc import Iterable, Iterator

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import Message, Unread
from vivavoce.notation.hidden_calls import looks_like_calls, says_something, unread
from vivavoce.notation.json_text import repeats_a_key
from vivavoce.notation.possible_names import names_beside, possible_names
from vivavoce.targets.ag_ui.call_book import CallBook, CallDraft
from vivavoce.targets.ag_ui.spelling import is_about_calls, names_a_tool, names_of, read_id, written_calls

_TOLD = (b'"delta"', b'"content"', b'"toolCallName"')
_READ_OF_MESSAGES = frozenset(
    {"id", "role", "content", "name", "toolCalls", "tool_calls", "toolCallId", "tool_call_id", "error"}
)
_READ_OF_CALLS = frozenset(
    {
        *("type", "toolCallId", "tool_call_id", "parentMessageId", "parent_message_id", "messageId", "message_id"),
        *("delta", "args", "arguments", "content", "error", "role", "timestamp", "rawEvent"),
    }
)
"""The keys of events about a call, but for that of its name."""
_NAME_OF_CALL = ("toolCallName", "tool_call_name")
_READ_OF_SNAPSHOT_CALLS = frozenset({"id", "type", "name", "function", "arguments", "args", "input", "parameters"})
_NO_NAMES = frozenset({"encryptedValue", "encrypted_value", "mimeType", "activityType", "subject", "type"})
_READ_OF_SNAPSHOTS = frozenset({"type", "messages", "timestamp", "rawEvent"})


def in_snapshot(event: JsonObject, sent: Iterable[Message], calls: CallBook) -> Iterator[Unread]:
    """Yields messages that are no list of objects or stand under another key, and results of calls nobody told."""
    messages: JsonValue = event.get("messages")
    rest = {key: value for key, value in event.items() if value and key not in _READ_OF_SNAPSHOTS}
    listed = messages if is_array(messages) else []
    strange = not all(map(is_object, listed)) if is_array(messages) else bool(messages or rest)
    if strange or (rest and looks_like_calls(rest)):
        yield unread(event, "a snapshot that is no list of messages")
    read = [message for message in listed if is_object(message)]
    results = [message for message in read if message.get("role") == "tool"]
    if results:
        told = {str(call.get("id")) for message in read for call in calls_in_message(message)}
        told.update(message.tool_call_id for message in sent if message.tool_call_id)
        for message in results:
            call_id = read_id(message, "toolCallId")
            if call_id not in told and calls.get(call_id) is None:
                yield unread(message, "a snapshot: the result of a call that was not told", "call")


def calls_in_message(message: JsonObject) -> list[JsonObject]:
    """The calls that a message of a snapshot tells in a way that can be read."""
    calls = written_calls(message)
    return [call for call in calls if is_object(call)] if is_array(calls) else []


def in_message(message: JsonObject) -> Iterator[Unread]:
    """Yields what may be calls in a message of a snapshot besides those that can be read."""
    calls, read = written_calls(message), calls_in_message(message)
    if calls and len(read) < (len(calls) if is_array(calls) else 1):
        yield unread(calls, "toolCalls of a snapshot", "call")
    for call in read:
        if not names_of(call):
            yield unread(call, "a snapshot: a call without a name", "call")
        elif len(names_of(call)) > 1:
            yield unread(call, "a snapshot: a call with two names", "call")
        elif looks_like_calls(beside := _beside_the_name(call)):
            yield unread(call, "a snapshot: a call inside a call", "call")
        else:
            yield from possible_names(beside, "a call of a snapshot")
    if message.get("role") != "user":
        content: JsonValue = message.get("content")
        rest = {key: value for key, value in message.items() if key not in _READ_OF_MESSAGES}
        if not isinstance(message.get("name"), str | None):
            rest["name"] = message["name"]
        if looks_like_calls(rest) or (not isinstance(content, str) and looks_like_calls(content)):
            yield unread(message, "a message of a snapshot", "call")
        elif is_object(content):  # an activity
            yield from possible_names(content, "an activity of a snapshot")
        yield from names_beside(rest, _NO_NAMES, "a message of a snapshot")


def _beside_the_name(call: JsonObject) -> list[JsonObject]:
    """The fields of a snapshot's call that nobody reads, or that are no name although they should be one."""
    function = call.get("function")
    places = [call, function] if is_object(function) else [call]
    return [
        {key: value}
        for place in places
        for key, value in place.items()
        if key not in _READ_OF_SNAPSHOT_CALLS
        or (key == "name" and not isinstance(value, str))
        or (key == "function" and place is function)
    ]


def other_names(told: Iterable[JsonObject], calls: CallBook) -> Iterator[Unread]:
    """Yields calls of a snapshot whose id was told for another tool."""
    for call in told:
        draft = calls.get(str(call.get("id") or ""))
        if draft is not None and names_of(call) - {draft.name}:
            yield unread(call, f"a snapshot: a call that was first of {draft.name or 'no tool'}", "call")


def beside_a_call(event: JsonObject, name: str) -> tuple[Unread, ...]:
    """The event, when it has another name than the call it is about, or further calls, where nobody looks."""
    if _READ_OF_CALLS.issuperset(event):
        return ()
    rest = {key: value for key, value in event.items() if key not in _READ_OF_CALLS}
    if names_of(rest) - {name}:
        return (unread(event, "a second name of a tool call", "call"),)
    more = {key: value for key, value in rest.items() if key not in _NAME_OF_CALL}
    # A call without its name may have it anywhere; in a resumed run it would be taken for a known call.
    hidden = says_something(more) if not name else looks_like_calls(more)
    if more and hidden:
        return (unread(event, "beside a tool call", "call"),)
    return tuple(names_beside(more, (), "beside a tool call"))


def name_in_pieces(begun: CallDraft | None, name: str) -> tuple[Unread, ...]:
    """The two names as one, when the first call has no arguments: a server may send a name in two chunks."""
    if begun is None or not begun.name or not name or any(begun.parts):
        return ()
    whole = f"{begun.name}{name}"
    return (Unread(whole, "a tool's name in two chunks", "name", whole),)


def in_unknown_event(kind: str, event: JsonObject) -> list[Unread]:
    """An event of a type that AG-UI does not have, when it may tell a call; else the words in it."""
    if is_about_calls(kind) or names_a_tool(event) or looks_like_calls(event):
        return [unread(event, f"an event of type {kind}", "call")]
    return names_beside(event, ("type", "timestamp"), f"an event of type {kind}")


def writes_a_key_twice(kind: str, frame: bytes) -> bool:
    """Whether an event writes a key twice: only the last value is read; words or a call may stand in the other."""
    is_snapshot = kind == "MESSAGES_SNAPSHOT"
    may_repeat = b"ool" in frame if is_snapshot else any(frame.count(key) > 1 for key in _TOLD)
    return may_repeat and repeats_a_key(frame.decode("utf-8", "replace"))
