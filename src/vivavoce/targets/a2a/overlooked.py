"""Places of an event where the reader expects no calls: what may be a call there is kept as unread."""

from collections.abc import Iterable, Iterator

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, json_equal, object_in
from vivavoce.model.message import ToolCall, Unread
from vivavoce.notation.hidden_calls import looks_like_calls, marks_of_calls, names_tools, unread
from vivavoce.notation.possible_names import names_beside, possible_names
from vivavoce.targets.a2a.questions import questions_in
from vivavoce.targets.a2a.shown_calls import NOT_SHOWN, TYPES_OF_CALLS, ShownCalls, unknown_metadata
from vivavoce.targets.a2a.spelling import is_of_user, objects_in, parts_of

_BESIDE_TEXT = ("data", "file", "raw")


def overlooked_in(event: JsonObject) -> Iterator[Unread]:
    """What may be a call in metadata, beside a text, in a thought, in interim data, or in place of a list."""
    status = object_in(event, "status")
    for key in ("artifacts", "history"):
        listed = event.get(key)
        if listed and not (is_array(listed) and all(map(is_object, listed))):
            yield unread(listed, f"`{key}` that are no list of objects")
    on_the_way = [object_in(status, "message"), *objects_in(event.get("history"))]
    for message in on_the_way:
        if not is_of_user(message):
            yield from _in_data(message)
    for thing in (*on_the_way, object_in(event, "artifact"), *objects_in(event.get("artifacts")), event):
        if thing is not event:
            yield from _in_metadata(object_in(thing, "metadata"))
        if not is_of_user(thing):
            yield from _in_parts(thing)


def overlooked_calls(messages: Iterable[JsonObject], told: Iterable[ToolCall]) -> Iterator[Unread]:
    """The calls in messages of the user or before the user's, unless this turn or an earlier one has them."""
    known = list(told)
    for message in messages:
        found = ShownCalls({})
        for part in parts_of(message):
            found.take_part(part, 0.0)
        for call in found.made():
            # The user's side sends results itself: they answer the questions of an agent.
            is_ours = is_of_user(message) and call.args == NOT_SHOWN
            if not is_ours and not any(_is_same(call, each) for each in known):
                yield unread({"name": call.name, "args": call.args}, "a call before the user's message", "call")
        yield from found.unread


def _is_same(call: ToolCall, known: ToolCall) -> bool:
    return call.name == known.name and (call.args == NOT_SHOWN or json_equal(call.args, known.args))


def _in_data(message: JsonObject) -> Iterator[Unread]:
    for part in parts_of(message):
        if part.kind != "data" or questions_in([part]) or ShownCalls({}).take_part(part, 0.0):
            continue
        if looks_like_calls(part.value):
            yield unread(part.value, "a data part that may hold a tool call", "call")
        else:
            yield from possible_names(part.value, "a data part")


def _in_parts(thing: JsonObject) -> Iterator[Unread]:
    listed: JsonValue = thing.get("parts") if thing.get("parts") is not None else thing.get("content")
    if listed and not (is_array(listed) and all(map(is_object, listed))):
        yield unread(listed, "`parts` that are no list of objects")
    for raw in objects_in(listed):
        metadata = object_in(raw, "metadata")
        if raw.get("data") is not None:
            if any(key.endswith("_type") and not isinstance(value, str) for key, value in metadata.items()):
                yield unread(raw, "a data part whose type is no text", "call")
            metadata = {key: value for key, value in metadata.items() if value not in TYPES_OF_CALLS}
        yield from _in_metadata(metadata)
        beside: JsonObject = {key: raw[key] for key in _BESIDE_TEXT if raw.get(key) is not None}
        if isinstance(raw.get("text"), str) and beside:
            yield unread(beside, "what stands beside the text of a part")
    for part in parts_of(thing):
        if part.kind == "text" and part.is_thought and marks_of_calls(str(part.value)):
            yield unread(part.value, "a thought: a call that the server did not take out", "call")


def _in_metadata(metadata: JsonObject) -> Iterator[Unread]:
    rest = unknown_metadata(metadata)
    if names_tools(rest):
        yield unread(rest, "metadata that may hold a tool call", "call")
    else:
        yield from names_beside(rest, (), "metadata")
