"""The Responses wire: our messages as items, and the items of an answer back as a reply."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, structs

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object, text_of
from vivavoce.model.message import Content, ContentPart, Message, ToolCall, Unread, Usage
from vivavoce.model_wires.beside_the_reply import OTHER_NAMES, calls_beside, keys_written_twice
from vivavoce.net.web_answers import bad_reply, error_message, error_text
from vivavoce.notation.content_parts import read_parts
from vivavoce.notation.hidden_calls import looks_like_calls, unread
from vivavoce.notation.json_text import call_arguments
from vivavoce.protocols import ModelReply, ToolSpec
from vivavoce.wording.quoting import shorten

_WANTED_CALLS = ("function_call", "custom_tool_call")
"""Calls that the caller must make; the others were made by the provider."""
_SILENT = ("reasoning", "compaction", "mcp_list_tools")
_UNFINISHED = ("in_progress", "queued")
_READ_OF_RESPONSE = frozenset(
    {
        *("output", "error", "status", "incomplete_details", "usage", "id", "object", "model"),
        # What was sent comes back in these; `tool_usage` counts.
        *("tools", "tool_choice", "instructions", "prompt", "text", "reasoning", "max_tool_calls", "tool_usage"),
    }
)
_READ_OF_ITEMS = {
    "": frozenset({"content"}),
    "message": frozenset({"type", "content"}),
    "reasoning": frozenset({"type", "summary", "content", "encrypted_content"}),
    "compaction": frozenset({"type", "encrypted_content"}),
    "mcp_list_tools": frozenset({"type", "tools"}),
}
_READ_OF_CALL = frozenset({"type", "id", "call_id", "name", "arguments", "input", "status"})
_CUT = {"max_output_tokens": "length", "content_filter": "content_filter"}

# ── what is sent ────────────────────────────────────────────────────────────────────


def wire_items(messages: Sequence[Message]) -> JsonArray:
    """Messages, calls and results as the items that the API takes."""
    return [item for message in messages for item in _items_of(message)]


def wire_tools(tools: Sequence[ToolSpec]) -> list[JsonObject]:
    return [
        {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters or {"type": "object", "properties": {}},
            # Left out it means true, and most schemas do not keep its rules.
            "strict": False,
        }
        for tool in tools
    ]


def _items_of(message: Message) -> JsonArray:
    if message.role == "tool":
        return [{"type": "function_call_output", "call_id": message.tool_call_id, "output": message.text}]
    items: JsonArray = []
    if message.content:
        items.append({"role": message.role, "content": _content(message.content, message.role)})
    for call in message.tool_calls or ():
        function: JsonObject = call.get("function") or {}
        named = {"name": function.get("name"), "arguments": function.get("arguments") or "{}"}
        items.append({"type": "function_call", "call_id": call.get("id"), **named})
    return items


def _content(content: Content, role: str) -> JsonValue:
    if isinstance(content, str):
        return content
    return [_part(part, "output_text" if role == "assistant" else "input_text") for part in content]


def _part(part: ContentPart, text_type: str) -> JsonObject:
    match part.get("type"):
        case "text":
            return {"type": text_type, "text": part.get("text", "")}
        case "image_url":
            image: JsonValue = part.get("image_url")
            return {"type": "input_image", "image_url": image.get("url") if is_object(image) else image}
        case "file" if is_object(file := part.get("file")):
            if file.get("file_id"):
                return {"type": "input_file", "file_id": file["file_id"]}
            data = file.get("file_data") or file.get("url")
            key = "file_data" if str(data).startswith("data:") else "file_url"
            return {"type": "input_file", key: data, "filename": file.get("filename") or "file"}
        case other:
            raise CallFailed(f"the Responses API takes no content of type {other!r}", fault="test")


# ── what comes back ─────────────────────────────────────────────────────────────────


def read_whole(content: bytes) -> ModelReply:
    """A reply that came in one piece."""
    response = json_object(content, "the reply")
    if response.get("status") in _UNFINISHED:
        raise bad_reply(f"the response is not finished, its status is {response['status']!r}: {error_text(content)}")
    reply = read_response(response, content)
    return structs.replace(reply, unread=(*reply.unread, *keys_written_twice(content)))


def json_object(content: bytes, what: str) -> JsonObject:
    """The object that a piece of the answer is. Raises CallFailed for anything else."""
    try:
        value: JsonValue = msgspec.json.decode(content)
    except (ValueError, RecursionError) as error:
        raise bad_reply(f"{what} is no JSON ({error}): {error_text(content)}") from None
    if not is_object(value):
        raise bad_reply(f"{what} is no object: {error_text(content)}")
    return value


def words_and_calls(item: JsonValue) -> tuple[str, list[ToolCall]]:
    """What one item of an output says."""
    reading = _Items()
    reading.add(item, "$.item")
    return "\n".join(filter(None, reading.texts)), reading.calls


def read_response(response: JsonObject, content: bytes) -> ModelReply:
    """A whole response; `content` is the piece of the answer in which it stood, for messages."""
    error: JsonValue = response.get("error")
    if error or response.get("status") in ("failed", "cancelled"):
        told = error_message(error) or error_text(content)
        raise bad_reply(f"the endpoint reports an error: {told}")
    if not is_array(response.get("output")):
        raise bad_reply(f"the reply has no output: {error_text(content)}")
    reading = _Items()
    for at, item in enumerate(response["output"]):
        reading.add(item, f"$.output[{at}]")
    cut: JsonValue = response.get("incomplete_details")
    reason = str(cut.get("reason")) if is_object(cut) else ""
    wanted = any(not call.is_answered for call in reading.calls)
    text = "\n".join(filter(None, reading.texts))
    reading.unread += calls_beside(response, _READ_OF_RESPONSE, "$")
    shortcut: JsonValue = response.get("output_text")
    if isinstance(shortcut, str) and "".join(shortcut.split()) not in "".join(text.split()):
        reading.unread.append(unread(shortcut, "$.output_text", "words"))
    return ModelReply(
        text=text,
        calls=tuple(reading.calls),
        finish_reason=_CUT.get(reason, reason) or ("tool_calls" if wanted else "stop"),
        usage=_usage(response.get("usage")),
        extra={"reasoning": "\n".join(reading.thoughts)} if reading.thoughts else {},
        unread=tuple(reading.unread),
    )


class _Items:
    """What the items of an answer say."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.thoughts: list[str] = []
        self.calls: list[ToolCall] = []
        self.unread: list[Unread] = []

    def add(self, item: JsonValue, where: str) -> None:
        kind = str(item.get("type") or "") if is_object(item) else ""
        if not is_object(item):
            self.unread.append(unread(item, where))
        elif kind == "message" or (not kind and "content" in item):
            self._message(item, where)
        elif kind in _WANTED_CALLS:
            self._call(item, where)
        elif kind.endswith("_call"):
            self._hosted(item, kind, where)
        elif kind == "reasoning":
            self._think(item, where)
        elif kind not in _SILENT:
            self.unread.append(unread(item, where))
        if is_object(item) and kind not in _WANTED_CALLS and kind in _READ_OF_ITEMS:
            self.unread += calls_beside(item, _READ_OF_ITEMS[kind], where)

    def _message(self, item: JsonObject, where: str) -> None:
        parts = read_parts(item.get("content"), f"{where}.content")
        self.texts.append(parts.words)
        self.unread += [*parts.unread, *(unread(call, f"{where}.content", "call") for call in parts.calls)]

    def _call(self, item: JsonObject, where: str) -> None:
        name = item.get("name")
        if not isinstance(name, str) or not name:
            raise bad_reply(f"{where} is a call without a name")
        given: JsonValue = item.get("arguments", item.get("input"))
        self.unread += calls_beside(item, _READ_OF_CALL, where, also=OTHER_NAMES)
        # The id by which its result is sent back; `id` is the item's own.
        self.calls.append(ToolCall(id=str(item.get("call_id") or ""), name=name, args=call_arguments(given)))

    def _hosted(self, item: JsonObject, kind: str, where: str) -> None:
        """A call that the provider made: a web search, code, a tool of an MCP server."""
        failure: JsonValue = item.get("error")
        result: JsonValue = next((item[key] for key in ("output", "results", "result") if item.get(key)), UNSET)
        known = {"id", "type", "status", "name", "arguments", "output", "results", "result", "error", "server_label"}
        given: JsonValue = item.get("arguments")
        rest = {key: value for key, value in item.items() if key not in known and value is not None}
        if given is not None:
            self.unread += calls_beside(item, known, where, also=OTHER_NAMES)
        self.calls.append(
            ToolCall(
                id=str(item.get("id") or ""),
                name=str(item.get("name") or kind.removesuffix("_call")),
                args=call_arguments(given) if given is not None else rest,
                result=str(item.get("status") or "completed") if result is UNSET and not failure else result,
                error=text_of(error_message(failure) or failure) if failure else None,
            )
        )

    def _think(self, item: JsonObject, where: str) -> None:
        for key in ("summary", "content"):
            told: JsonValue = item.get(key)
            for part in told if is_array(told) else ():
                words: JsonValue = part.get("text") if is_object(part) else part
                if isinstance(words, str) and words:
                    self.thoughts.append(words)
                elif looks_like_calls(part):
                    self.unread.append(unread(part, where, "call"))


def _usage(value: JsonValue) -> Usage | None:
    if not is_object(value):
        return None
    counts = [value.get(name) for name in ("input_tokens", "output_tokens")]
    if counts == [None, None]:
        return None
    if not all(count is None or (isinstance(count, int) and count >= 0) for count in counts):
        raise bad_reply(f"usage is {shorten(repr(value), 120)}, wanted counts of 0 or more")
    return Usage(counts[0] or 0, counts[1] or 0)
