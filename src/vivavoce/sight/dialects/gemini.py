"""Gemini's generateContent and streamGenerateContent."""

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object, object_in, text_of
from vivavoce.model_wires.gemini_wire import read_stream, read_whole
from vivavoce.notation.content_parts import Result
from vivavoce.sight.dialects.dialect import Dialect, Said, Sections, without

_SYSTEM = ("systemInstruction", "system_instruction")


def _contents(body: JsonObject) -> JsonArray:
    contents = body.get("contents")
    return contents if is_array(contents) else [] if contents is None else [contents]


def _sections(body: JsonObject) -> Sections:
    return Sections(
        system=next((body[name] for name in _SYSTEM if body.get(name)), None),
        tools=body.get("tools"),
        params=without(body, "contents", "tools", *_SYSTEM),
        talk=_contents(body),
    )


def _parts(content: JsonValue) -> list[JsonObject]:
    parts: JsonValue = content.get("parts") if is_object(content) else content
    found = parts if is_array(parts) else [parts]
    return [part if is_object(part) else {"text": text_of(part)} for part in found]


def _call(part: JsonObject) -> JsonObject:
    return object_in(part, "functionCall") or object_in(part, "function_call")


def _response(part: JsonObject) -> JsonObject:
    return object_in(part, "functionResponse") or object_in(part, "function_response")


def _said(content: JsonValue) -> Said:
    parts = _parts(content)
    calls = [call for call in map(_call, parts) if call]
    return Said(
        role=str(content.get("role") or "user") if is_object(content) else "user",
        text="".join(str(part["text"]) for part in parts if isinstance(part.get("text"), str)),
        calls=tuple((str(call.get("name")), call.get("args") or {}) for call in calls),
        ids=tuple(str(call.get("id") or "") for call in calls),
        results=sum(bool(_response(part)) for part in parts),
    )


def _results(body: JsonObject) -> list[Result]:
    """Returns the results after the model's last message. Results need no id, so older ones cannot be recognised."""
    contents = _contents(body)
    spoken = [at for at, content in enumerate(contents) if is_object(content) and content.get("role") == "model"]
    found = [_response(part) for content in contents[spoken[-1] if spoken else 0 :] for part in _parts(content)]
    return [_result(response) for response in found if response]


def _result(response: JsonObject) -> Result:
    value = response.get("response")
    failed = object_in(response, "response").get("error")
    return Result(
        call_id=str(response.get("id") or ""),
        name=str(response.get("name") or ""),
        value=value,
        error=text_of(failed) if failed else None,
    )


def _refusal(what: str) -> JsonObject:
    return {"error": {"code": 404, "message": what, "status": "NOT_FOUND"}}


GEMINI = Dialect(
    name="gemini",
    sections=_sections,
    said=_said,
    results=_results,
    whole=read_whole,
    stream=read_stream,
    refusal=_refusal,
    streams=lambda _body, path: "streamGenerateContent" in path,
)
