"""Fields and events of Anthropic's wire that nobody reads, and that may hold calls or words."""

import msgspec

from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import Unread
from vivavoce.model_wires.beside_the_reply import calls_beside, keys_written_twice, unknown_event
from vivavoce.notation.hidden_calls import says_something, unread

_READ_OF_MESSAGE = frozenset(
    {"content", "stop_reason", "stop_sequence", "usage", "error", "type", "id", "role", "model"}
)
_READ_OF_BLOCKS = {
    "text": frozenset({"type", "text", "citations"}),
    "thinking": frozenset({"type", "thinking", "signature"}),
    "redacted_thinking": frozenset({"type", "data"}),
}
_READ_OF_CALL = frozenset({"type", "id", "name", "input", "caller", "server_name"})
_READ_OF_RESULT = frozenset({"type", "tool_use_id", "content", "is_error", "caller"})
_NAMES = frozenset({"name", "input", "function", "tool", "tool_name", "arguments", "args", "parameters", "params"})
"""Under which a block may tell a call that its type does not have."""
_READ_OF_DELTA = frozenset({"type", "text", "partial_json", "thinking", "signature", "citation"})
_PIECES = ("text", "partial_json", "thinking")
"""Of these one is read from each delta."""
_READ_OF_LAST = frozenset({"type", "stop_reason", "stop_sequence", "stop_details", "container"})
_EVENTS = {
    "message_start": frozenset({"type", "message"}),
    "content_block_start": frozenset({"type", "index", "content_block"}),
    "content_block_delta": frozenset({"type", "index", "delta"}),
    "content_block_stop": frozenset({"type", "index"}),
    "message_delta": frozenset({"type", "delta", "usage"}),
    "message_stop": frozenset({"type"}),
    "ping": frozenset({"type"}),
}


def beside_message(content: bytes) -> list[Unread]:
    """What a whole message holds besides what is read of it."""
    message: JsonValue = msgspec.json.decode(content)
    found = keys_written_twice(content)
    if not is_object(message):
        return found
    blocks: JsonValue = message.get("content")
    for at, block in enumerate(blocks if is_array(blocks) else ()):
        found += _beside_block(block, f"$.content[{at}]")
    return found + calls_beside(message, _READ_OF_MESSAGE, "$")


def beside_event(content: bytes) -> list[Unread]:
    """What an event of a stream holds besides what is read of it; all of it when its type is unknown."""
    event: JsonValue = msgspec.json.decode(content)
    if not is_object(event):
        return []
    kind = str(event.get("type"))
    if kind not in _EVENTS:
        return unknown_event(event)
    found = [*keys_written_twice(content), *calls_beside(event, _EVENTS[kind], f"{kind}", also=_NAMES)]
    delta: JsonValue = event.get("delta")
    match kind:
        case "message_start" if is_object(message := event.get("message")):
            found += calls_beside(message, _READ_OF_MESSAGE, f"{kind}.message")
            if says_something(message.get("content")):
                found.append(unread(message["content"], f"{kind}.message.content"))
        case "content_block_start":
            found += _beside_block(event.get("content_block"), f"{kind}.content_block")
        case "content_block_delta" if is_object(delta):
            found += calls_beside(delta, _READ_OF_DELTA, f"{kind}.delta", also=_NAMES)
            if sum(bool(delta.get(piece)) for piece in _PIECES) > 1:
                found.append(unread(delta, f"{kind}.delta"))
        case "message_delta" if is_object(delta):
            found += _whatever_else(delta, _READ_OF_LAST, f"{kind}.delta")
        case "content_block_stop" | "message_stop":
            found += _whatever_else(event, _EVENTS[kind], kind)
        case _:
            pass
    return found


def _beside_block(block: JsonValue, where: str) -> list[Unread]:
    if not is_object(block):
        return []
    kind = str(block.get("type"))
    if kind in _READ_OF_BLOCKS:
        return calls_beside(block, _READ_OF_BLOCKS[kind], where, also=_NAMES)
    if kind.endswith("tool_use"):
        return calls_beside(block, _READ_OF_CALL, where, also=_NAMES)
    # Blocks of other types are unread as a whole.
    return calls_beside(block, _READ_OF_RESULT, where, also=_NAMES) if kind.endswith("_tool_result") else []


def _whatever_else(told: JsonObject, known: frozenset[str], where: str) -> list[Unread]:
    others = {key: value for key, value in told.items() if key not in known and not key.startswith("amazon-bedrock")}
    return [unread(others, where)] if says_something(others) else []
