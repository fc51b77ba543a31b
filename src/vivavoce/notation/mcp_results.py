"""What a tool of an MCP server returned, as plain JSON."""

import msgspec

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object, json_equal
from vivavoce.notation.json_text import find_json


def text_of_result(answer: JsonObject) -> str:
    """Returns the text of an answer and of resources in it, with a mark such as `[image]` for other parts."""
    parts: JsonValue = answer.get("content")
    return "\n".join(_words(part) for part in parts) if is_array(parts) else ""


def _words(part: JsonValue) -> str:
    if not is_object(part):
        return ""
    resource = part.get("resource")
    text = resource.get("text") if is_object(resource) else part.get("text")
    return str(text or "") if isinstance(text, str) else f"[{part.get('type')}]"


def value_of_result(answer: JsonObject) -> JsonValue:
    """Returns a tool's structured result, else its text, decoded if it is JSON."""
    text = text_of_result(answer)
    value: JsonValue = answer.get("structuredContent")
    if value is None:
        found = find_json(text) if text.lstrip().startswith(("{", "[")) else None
        return text if found is None or found.repaired else found.value
    if is_object(value) and value.keys() == {"result"} and _says_the_same(text, value["result"]):
        # Servers wrap values that are not objects: the tool itself returned only `result`.
        return value["result"]
    return value


def _says_the_same(text: str, value: JsonValue) -> bool:
    if isinstance(value, str):
        return text == value
    try:
        return json_equal(msgspec.json.decode(text), value)
    except (ValueError, RecursionError):
        return not isinstance(value, dict)
