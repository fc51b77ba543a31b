"""What the reader of events would pass over although it may hold a call: each is kept as unread."""

from collections.abc import Iterable, Iterator

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import Message, Unread
from vivavoce.notation.hidden_calls import looks_like_calls, unread
from vivavoce.targets.ag_ui.call_book import CallBook
from vivavoce.targets.ag_ui.spelling import names_of, read_id, told_calls

_READ_OF_MESSAGES = frozenset(
    {"id", "role", "content", "name", "toolCalls", "tool_calls", "toolCallId", "tool_call_id", "error"}
)
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
    calls = told_calls(message)
    return [call for call in calls if is_object(call)] if is_array(calls) else []


def in_message(message: JsonObject) -> Iterator[Unread]:
    """Yields what may be calls in a message of a snapshot besides those that can be read."""
    calls, read = told_calls(message), calls_in_message(message)
    if calls and len(read) < (len(calls) if is_array(calls) else 1):
        yield unread(calls, "toolCalls of a snapshot", "call")
    for call in read:
        if len(names_of(call)) > 1:
            yield unread(call, "a snapshot: a call with two names", "call")
    if message.get("role") != "user":
        content: JsonValue = message.get("content")
        rest = {key: value for key, value in message.items() if key not in _READ_OF_MESSAGES}
        if looks_like_calls(rest) or (not isinstance(content, str) and looks_like_calls(content)):
            yield unread(message, "a message of a snapshot", "call")
