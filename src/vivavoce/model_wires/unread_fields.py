"""Fields of a chat completion that nobody reads, and that may hold calls or words."""

from collections.abc import Iterator, Mapping

import msgspec

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import Unread
from vivavoce.model_wires.beside_the_reply import keys_written_twice
from vivavoce.notation.hidden_calls import looks_like_calls, marks_of_calls, names_tools, says_something, unread
from vivavoce.notation.possible_names import possible_names

_CALL_LISTS = ("tool_calls", "toolCalls")
_READ_OF_MESSAGE = frozenset({"content", *_CALL_LISTS, "function_call", "refusal", "reasoning_content", "role"})
_READ_OF_CHOICE = frozenset({"message", "delta"})
_READ_OF_COMPLETION = frozenset({"choices"})
_KNOWN_BESIDE_CHOICES = frozenset(
    {"choices", "usage", "error", "id", "object", "created", "model", "service_tier", "system_fingerprint", "type"}
)
_READ_OF_CALL = frozenset({"index", "id", "type", "function", "name", "arguments", "args", "input"})
_OTHER_NAMES = frozenset({"tool", "custom", "action", "parameters", "params", "kwargs"})
"""Keys under which a call may repeat its name or its arguments."""
_ONLY_STRUCTURE = frozenset({"logprobs", "prompt_logprobs", "reasoning_details", "usage"})
"""Their texts are pieces of the prompt or of thoughts; only their keys can show a call."""
_WITHOUT_NAMES = _ONLY_STRUCTURE | {
    *("reasoning", "provider", "native_finish_reason", "stop_reason", "annotations", "timings", "type"),
    *("prompt_filter_results", "content_filter_results", "extra_content", "x_groq", "citations"),
}
"""Fields of known servers that name no tool."""
_OBJECTS = 3
"""How many objects a completion has at least: itself, a choice, its message. A call somewhere else is one more."""
_HINTS = (b"tool", b"call", b"func", b"step", b"action", b"invo", b"transcript", b"python_", b"\\u")
"""Without one of these no text in a completion can name a call."""
_NAMES_ONLY = frozenset({"id", "object", "model", "service_tier", "system_fingerprint", "finish_reason"})
_QUOTE = ord('"')
_EMPTY = (b'""', b"[]", b"{}")
_NULL = msgspec.Raw(b"null")
_fields_of = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_choices_of = msgspec.json.Decoder(list[dict[str, msgspec.Raw]]).decode


def unread_fields(content: bytes, *, has_choices: bool, has_usage: bool) -> list[Unread]:
    """What a completion, or a piece of one, holds besides what is read of it."""
    if has_choices and content.count(b"{") <= _OBJECTS + has_usage and not _hints_at_calls(content):
        return []
    fields = _fields_of(content)
    found = [*keys_written_twice(content), *_holding_calls(fields, _READ_OF_COMPLETION, "$")]
    if not has_choices:
        return found or ([] if "choices" in fields or has_usage else _without_choices(fields))
    for choice in _choices_of(fields["choices"]):
        found += _holding_calls(choice, _READ_OF_CHOICE, "$.choices")
        for key in ("message", "delta"):
            if (said := choice.get(key)) is not None and said != _NULL:
                found += _of_message(_fields_of(said), f"$.{key}")
    return found


def _hints_at_calls(content: bytes) -> bool:
    lower = content.lower()
    for hint in _HINTS:  # noqa: SIM110 - any() takes twice as long, and this is done for every piece of a stream
        if hint in lower:
            return True
    return False


def _holding_calls(told: Mapping[str, msgspec.Raw], known: frozenset[str], where: str) -> list[Unread]:
    found: list[Unread] = []
    for name in told.keys() - known:
        raw = bytes(told[name])
        if raw[0] not in b'"{[' or raw in _EMPTY or (raw[0] == _QUOTE and name in _NAMES_ONLY):
            continue
        value = msgspec.json.decode(raw)
        if name == "reasoning" and isinstance(value, str):
            tells = marks_of_calls(value)
        else:
            tells = names_tools({name: value}) or (name not in _ONLY_STRUCTURE and looks_like_calls({name: value}))
        if tells:
            found.append(unread(value, f"{where}.{name}", "call"))
        elif name == "audio" and is_object(value) and value.get("transcript"):
            found.append(unread(value["transcript"], f"{where}.audio.transcript", "words"))
        elif name not in _WITHOUT_NAMES:
            found += possible_names(value, f"{where}.{name}")
    return found


def _of_message(said: Mapping[str, msgspec.Raw], where: str) -> list[Unread]:
    found = _holding_calls(said, _READ_OF_MESSAGE, where)
    for key in _CALL_LISTS:
        if key in said:
            calls: JsonValue = msgspec.json.decode(said[key])
            for call in calls if is_array(calls) else ():
                found += beside_a_call(call, f"{where}.{key}")
    if "function_call" in said:
        found += beside_a_call({"function": msgspec.json.decode(said["function_call"])}, f"{where}.function_call")
    return found


def beside_a_call(call: JsonObject, where: str) -> Iterator[Unread]:
    """What a call says beside the name and the arguments that are read of it."""
    function: JsonValue = call.get("function")
    if is_object(function) and says_something(function.get("function")):
        yield unread(function, f"{where}.function", "call")
    for told in (call, function if is_object(function) else {}):
        for key in told.keys() - _READ_OF_CALL:
            value = told[key]
            if says_something(value) and (
                key in _OTHER_NAMES or names_tools({key: value}) or looks_like_calls({key: value})
            ):
                yield unread(value, f"{where}.{key}", "call")
            elif key not in _WITHOUT_NAMES:
                yield from possible_names(value, f"{where}.{key}")


def _without_choices(fields: Mapping[str, msgspec.Raw]) -> list[Unread]:
    """An event of another kind in the stream: it may be a call, or words."""
    others: JsonObject = {
        name: msgspec.json.decode(raw)
        for name, raw in fields.items()
        if name not in _KNOWN_BESIDE_CHOICES and not name.endswith(("id", "Id"))
    }
    return [unread(others, "an event without choices")] if says_something(others) else []
