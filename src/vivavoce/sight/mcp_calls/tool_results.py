"""The answer of a tool ↔ the result of an MCP `tools/call`."""

import msgspec
from msgspec import UNSET

from vivavoce.model.json_value import JsonObject, JsonValue, is_object, text_of
from vivavoce.model.tool_answer import ToolAnswer
from vivavoce.notation.mcp_results import text_of_result, value_of_result
from vivavoce.sight.tapes.mcp_exchange import McpAnswer

_RESULT = "result"


def tool_answer_of(answer: McpAnswer) -> ToolAnswer:
    """The answer of a server as a value or an error."""
    if answer.error is not None:
        return ToolAnswer(error=str(answer.error.get("message") or "the server refused the call"))
    result = answer.result or {}
    if result.get("isError"):
        return ToolAnswer(error=text_of_result(result) or "the tool reported an error")
    return ToolAnswer(value=value_of_result(result))


def made_result(given: ToolAnswer, output_schema: JsonValue) -> McpAnswer:
    """The result of a call that no server answered, with structured content when the tool declares a schema."""
    if given.error is not None:
        return McpAnswer(result={"content": [_text(given.error)], "isError": True})
    value: JsonValue = None if given.value is UNSET else given.value
    words = value if isinstance(value, str) else "" if value is None else text_of(value)
    result: JsonObject = {"content": [_text(words)] if words else [], "isError": False}
    if is_object(output_schema) and (not is_object(value) or _wraps(output_schema, value)):
        # Servers wrap a value that is not an object as `{"result": …}`; their schema says so.
        result["structuredContent"] = {_RESULT: value}
    elif is_object(value):
        result["structuredContent"] = msgspec.to_builtins(value)
    return McpAnswer(result=result)


def _wraps(schema: JsonObject, value: JsonObject) -> bool:
    required: JsonValue = schema.get("required")
    return required == [_RESULT] and _RESULT not in value


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}
