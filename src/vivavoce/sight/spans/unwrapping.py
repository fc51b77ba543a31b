"""Unwraps arguments and results of tools from the forms of each instrumentation."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, object_in
from vivavoce.notation.json_text import json_or_text


class Unwrapped(Struct, frozen=True):
    value: JsonValue
    call_id: str | None = None
    """The id of the call, if the wrapping has it."""


def data(value: JsonValue) -> JsonValue:
    """The value of a JSON text; anything else unchanged."""
    return json_or_text(value) if isinstance(value, str) else value


def arguments(raw: JsonValue) -> Unwrapped:
    value = data(raw)
    if is_object(value):
        if {"input_str", "inputs"} <= value.keys():  # Traceloop + LangChain: the callback's own arguments
            return Unwrapped(value["inputs"], _text(object_in(value, "kwargs").get("tool_call_id")))
        if {"args", "kwargs", "sanitize_inputs_outputs"} <= value.keys():  # OpenInference + smolagents
            return Unwrapped(value["kwargs"] or {"args": value["args"]})
    return Unwrapped(value)


def result(raw: JsonValue) -> Unwrapped:
    value = data(raw)
    while is_object(value):
        # LangChain's tool message, in its three wrappings.
        if "output" in value and set(value) <= {"output", "kwargs"}:
            value = value["output"]
        elif value.get("lc") == 1 and "kwargs" in value:
            value = value["kwargs"]
        elif value.get("type") == "tool" and "data" in value:
            value = value["data"]
        elif value.get("type") == "tool" and "content" in value:
            return Unwrapped(data(value["content"]), _text(value.get("tool_call_id")))
        else:
            break
    if is_array(value) and value and all(_is_text_block(entry) for entry in value):  # Strands
        return Unwrapped(data("\n".join(str(entry["text"]) for entry in value)))
    return Unwrapped(data(value))


def first_of(attributes: JsonObject, names: Sequence[str]) -> JsonValue:
    """Returns the first of these attributes that exists, else None."""
    return next((attributes[name] for name in names if name in attributes), None)


def objects_in(value: JsonValue) -> Iterator[JsonObject]:
    """The objects of a list; nothing for any other value."""
    return (entry for entry in (value if is_array(value) else ()) if is_object(entry))


def _is_text_block(entry: JsonValue) -> bool:
    return is_object(entry) and set(entry) == {"text"}


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None
