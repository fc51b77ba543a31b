"""OpenAI's Responses API."""

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.model_wires.responses_stream import read_stream
from vivavoce.model_wires.responses_wire import read_whole
from vivavoce.notation.content_parts import Result, read_parts, result_of
from vivavoce.notation.json_text import call_arguments
from vivavoce.sight.dialects.chat import SYSTEM_ROLES, refusal
from vivavoce.sight.dialects.dialect import Dialect, Said, Sections, without

_CALLS = ("function_call", "custom_tool_call")


def _items(body: JsonObject) -> JsonArray:
    given = body.get("input")
    return given if is_array(given) else [] if given is None else [{"role": "user", "content": given}]


def _is_system(item: JsonValue) -> bool:
    return is_object(item) and item.get("role") in SYSTEM_ROLES


def _is_result(item: JsonValue) -> bool:
    return is_object(item) and str(item.get("type")).endswith("_call_output")


def _sections(body: JsonObject) -> Sections:
    items = _items(body)
    return Sections(
        model=body.get("model"),
        system=[body.get("instructions"), *(item for item in items if _is_system(item))],
        tools=body.get("tools"),
        params=without(body, "model", "input", "instructions", "tools", "stream"),
        talk=[item for item in items if not _is_system(item)],
    )


def _said(item: JsonValue) -> Said:
    if not is_object(item):
        return Said(role="", text=text_of(item))
    kind = str(item.get("type") or "message")
    if _is_result(item):
        return Said(role="tool", results=1)
    if kind in _CALLS:
        given: JsonValue = item.get("arguments", item.get("input"))
        call = (str(item.get("name")), call_arguments(given))
        return Said(role="assistant", calls=(call,), ids=(str(item.get("call_id") or ""),))
    if kind == "message":
        return Said(role=str(item.get("role")), text=read_parts(item.get("content")).words)
    return Said(role=kind)


def _results(body: JsonObject) -> list[Result]:
    return [result_of(item) for item in _items(body) if _is_result(item)]


RESPONSES = Dialect(
    name="responses",
    sections=_sections,
    said=_said,
    results=_results,
    whole=read_whole,
    stream=read_stream,
    refusal=refusal,
)
