"""Anthropic's messages API."""

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.model_wires.anthropic_wire import read_stream, read_whole
from vivavoce.notation.content_parts import Result, id_of, read_parts
from vivavoce.notation.json_text import call_arguments
from vivavoce.sight.dialects.dialect import Dialect, Said, Sections, without


def _messages(body: JsonObject) -> JsonArray:
    messages = body.get("messages")
    return messages if is_array(messages) else []


def _sections(body: JsonObject) -> Sections:
    return Sections(
        model=body.get("model"),
        system=body.get("system"),
        tools=body.get("tools"),
        params=without(body, "model", "messages", "system", "tools", "stream"),
        talk=_messages(body),
    )


def _said(message: JsonValue) -> Said:
    if not is_object(message):
        return Said(role="", text=text_of(message))
    parts = read_parts(message.get("content"))
    return Said(
        role=str(message.get("role")),
        text=parts.words,
        calls=tuple((str(call.get("name")), call_arguments(call.get("input"))) for call in parts.calls),
        ids=tuple(map(id_of, parts.calls)),
        results=len(parts.results),
    )


def _results(body: JsonObject) -> list[Result]:
    contents = [message.get("content") for message in _messages(body) if is_object(message)]
    return [result for content in contents for result in read_parts(content).results]


def _refusal(what: str) -> JsonObject:
    return {"type": "error", "error": {"type": "not_found_error", "message": what}}


ANTHROPIC = Dialect(
    name="anthropic",
    sections=_sections,
    said=_said,
    results=_results,
    whole=read_whole,
    stream=read_stream,
    refusal=_refusal,
)
