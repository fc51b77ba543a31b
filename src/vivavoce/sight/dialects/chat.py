"""OpenAI's chat completions, also of other hosts."""

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object, object_in
from vivavoce.model_wires.openai_wire import read_stream, read_whole
from vivavoce.notation.content_parts import Result, read_parts
from vivavoce.notation.json_text import call_arguments
from vivavoce.sight.dialects.dialect import Dialect, Said, Sections, without

SYSTEM_ROLES = ("system", "developer")
_RESULT_ROLES = ("tool", "function")


def refusal(what: str) -> JsonObject:
    """An error as OpenAI's clients read it."""
    return {"error": {"message": what, "type": "viva_replay_miss", "param": None, "code": "viva_replay_miss"}}


def _messages(body: JsonObject) -> JsonArray:
    messages = body.get("messages")
    return messages if is_array(messages) else []


def _is_system(message: JsonValue) -> bool:
    return is_object(message) and message.get("role") in SYSTEM_ROLES


def _sections(body: JsonObject) -> Sections:
    messages = _messages(body)
    return Sections(
        model=body.get("model"),
        system=[message for message in messages if _is_system(message)],
        tools=body.get("tools") or body.get("functions"),
        params=without(body, "model", "messages", "tools", "functions", "stream"),
        talk=[message for message in messages if not _is_system(message)],
    )


def _said(message: JsonValue) -> Said:
    if not is_object(message):
        return Said(role="", text=str(message))
    role = str(message.get("role"))
    if role in _RESULT_ROLES:
        return Said(role="tool", results=1)
    calls = message.get("tool_calls")
    asked = [call for call in calls if is_object(call)] if is_array(calls) else []
    if is_object(one := message.get("function_call")):
        asked.append({"function": one})
    functions = [object_in(call, "function") for call in asked]
    return Said(
        role=role,
        text=read_parts(message.get("content")).words,
        calls=tuple((str(one.get("name")), call_arguments(one.get("arguments"))) for one in functions),
        ids=tuple(str(call.get("id") or "") for call in asked),
    )


def _results(body: JsonObject) -> list[Result]:
    return [
        Result(
            call_id=str(message.get("tool_call_id") or ""),
            name=str(message.get("name") or ""),
            value=read_parts(message.get("content")).words,
        )
        for message in _messages(body)
        if is_object(message) and message.get("role") in _RESULT_ROLES
    ]


CHAT = Dialect(
    name="chat",
    sections=_sections,
    said=_said,
    results=_results,
    whole=read_whole,
    stream=read_stream,
    refusal=refusal,
)
