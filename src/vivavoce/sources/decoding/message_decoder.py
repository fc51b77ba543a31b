"""`input` and `messages` → messages for the agent."""

from msgspec import UNSET

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, compact_json, is_array, is_object
from vivavoce.model.message import Message
from vivavoce.model.server_request import is_request
from vivavoce.notation.checked_fields import checked
from vivavoce.notation.place import Place, quoted
from vivavoce.sources.decoding.case_fields import MessageFields
from vivavoce.sources.decoding.content_decoder import decode_content, decode_request, misspelt_request


def decode_input(value: JsonValue, place: Place) -> tuple[Message, ...]:
    """Text, one message, or a list of messages."""
    if isinstance(value, str):
        return (Message(role="user", content=value),) if value else ()
    if is_object(value):
        if is_request(value):
            return (Message(role="user", content=decode_request(value, place)),)
        if hint := misspelt_request(value):
            raise place.problem(f"unknown field {next(iter(value))!r}", hint)
        return (decode_message(value, place),)
    if is_array(value):
        return decode_messages(value, place)
    raise place.problem(
        f"unsupported input type: {quoted(value)}", "write text, a message with role and content, or a list of messages"
    )


def decode_messages(values: JsonArray, place: Place) -> tuple[Message, ...]:
    messages: list[Message] = []
    for index, value in enumerate(values):
        if not is_object(value):
            found = f"message at index {index}: wanted an object, found {quoted(value)}"
            raise place.problem(found, 'write {"role": "user", "content": "…"}')
        messages.append(decode_message(value, place.at(index)))
    return tuple(messages)


def decode_message(value: JsonObject, place: Place) -> Message:
    fields = checked(value, MessageFields, place)
    content = fields.content
    if content is UNSET or content is None:
        # Only an assistant message with tool calls may be without text.
        if not fields.tool_calls:
            raise place.problem("a message needs 'content'")
        content = ""
    return Message(
        role=fields.role,
        content=decode_content(content, place.at("content")),
        name=fields.name,
        id=fields.id,
        tool_calls=[_wire_call(call, place) for call in fields.tool_calls] if fields.tool_calls else None,
        tool_call_id=fields.tool_call_id,
    )


def _wire_call(call: JsonObject, place: Place) -> JsonObject:
    """A call on the OpenAI wire form, its arguments as text."""
    function = call.get("function")
    if not is_object(function) or not isinstance(function.get("name"), str):
        raise place.problem("each of 'tool_calls' needs a 'function' with a 'name'")
    arguments = function.get("arguments", "")
    text = arguments if isinstance(arguments, str) else compact_json(arguments)
    return {"type": "function", **call, "function": {**function, "arguments": text}}
