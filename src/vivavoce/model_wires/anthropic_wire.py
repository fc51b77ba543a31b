"""Anthropic's messages wire: our messages as content blocks, and blocks back as a reply."""

import base64
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, structs

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonObject, JsonValue, is_object, text_of
from vivavoce.model.message import Content, ContentPart, Message, ToolCall, Unread, Usage
from vivavoce.model_wires.anthropic_unread import beside_event, beside_message
from vivavoce.model_wires.heard_so_far import on_broken_stream
from vivavoce.net.web_answers import bad_reply, error_message, error_text
from vivavoce.notation.json_text import call_arguments
from vivavoce.protocols import ModelReply, ToolSpec

FINISH_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}
_SYSTEM_ROLES = ("system", "developer")

# ── what is sent ────────────────────────────────────────────────────────────────────


def system_text(messages: Sequence[Message]) -> str:
    """All system messages as the one text the API takes."""
    return "\n\n".join(message.text for message in messages if message.role in _SYSTEM_ROLES and message.text)


def wire_messages(messages: Sequence[Message]) -> list[JsonObject]:
    """User and assistant turns in blocks; neighbours of one role become one turn, as the API wants it."""
    turns: list[JsonObject] = []
    for message in messages:
        if message.role in _SYSTEM_ROLES or not (blocks := _blocks_of(message)):
            continue
        role = "assistant" if message.role == "assistant" else "user"
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"].extend(blocks)
        else:
            turns.append({"role": role, "content": blocks})
    return turns


def wire_tools(tools: Sequence[ToolSpec]) -> list[JsonObject]:
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.parameters or {"type": "object", "properties": {}},
        }
        for tool in tools
    ]


def _blocks_of(message: Message) -> list[JsonObject]:
    blocks = _content_blocks(message.content)
    if message.role == "tool":
        failed: JsonObject = {"is_error": True} if message.is_error else {}
        return [{"type": "tool_result", "tool_use_id": message.tool_call_id, "content": blocks, **failed}]
    for call in message.tool_calls or ():
        function = call.get("function", {})
        given: Any = function.get("arguments") or "{}"
        arguments: JsonValue = call_arguments(given)
        # The API takes objects only; a call that was broken when it came goes back as what it was.
        taken = arguments if is_object(arguments) else {"arguments": arguments}
        blocks.append({"type": "tool_use", "id": call.get("id"), "name": function.get("name"), "input": taken})
    return blocks


def _content_blocks(content: Content) -> list[JsonObject]:
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [_block(part) for part in content]


def _block(part: ContentPart) -> JsonObject:
    match part.get("type"):
        case "text":
            return {"type": "text", "text": part.get("text", "")}
        case "image_url":
            image: JsonValue = part.get("image_url")
            return {"type": "image", "source": _source(image.get("url", "") if is_object(image) else str(image))}
        case "file" if is_object(file := part.get("file")):
            return _file_block(file)
        case other:
            raise CallFailed(f"Anthropic models take no content of type {other!r}", fault="test")


def _file_block(file: JsonObject) -> JsonObject:
    """An image as one, anything else as a document under its name."""
    if file.get("file_id"):
        return {"type": "document", "source": {"type": "file", "file_id": file["file_id"]}}
    source = _source(str(file.get("file_data") or file.get("url") or ""))
    media_type = str(source.get("media_type", ""))
    if media_type.startswith("image/"):
        return {"type": "image", "source": source}
    name = file.get("filename")
    if media_type.startswith("text/") or media_type == "application/json":
        # Of bytes the API takes PDF only; texts have a source of their own.
        source = {"type": "text", "media_type": "text/plain", "data": _words(source["data"], name)}
    return {"type": "document", "source": source, **({"title": name} if name else {})}


def _words(data: str, name: JsonValue) -> str:
    try:
        return base64.b64decode(data).decode()
    except ValueError as error:
        raise CallFailed(f"the file {name!r} is no UTF-8 text ({error})", fault="test") from None


def _source(url: str) -> JsonObject:
    if not url.startswith("data:"):
        return {"type": "url", "url": url}
    head, _, data = url.removeprefix("data:").partition(",")
    return {"type": "base64", "media_type": head.removesuffix(";base64"), "data": data}


# ── what comes back ─────────────────────────────────────────────────────────────────


class _Block(Struct, frozen=True):
    type: str = ""
    text: str = ""
    thinking: str = ""
    id: str = ""
    name: str = ""
    input: JsonValue = None
    partial_json: str = ""
    tool_use_id: str = ""
    content: JsonValue = None
    """What a tool of the provider's own returned."""
    is_error: bool = False


_Count = Annotated[int, Meta(ge=0)]


class _Usage(Struct, frozen=True):
    input_tokens: _Count | None = None
    output_tokens: _Count | None = None


class _Message(Struct, frozen=True):
    content: list[_Block] = []
    stop_reason: str | None = None
    usage: _Usage = _Usage()
    error: Any = None
    type: str = ""


class _Event(Struct, frozen=True):
    type: str = ""
    index: int = 0
    message: _Message | None = None
    content_block: _Block | None = None
    delta: JsonValue = None
    usage: _Usage | None = None
    error: Any = None


_decode_message = msgspec.json.Decoder(_Message).decode
_decode_event = msgspec.json.Decoder(_Event).decode


def read_whole(content: bytes) -> ModelReply:
    """A reply that came in one piece."""
    try:
        message = _decode_message(content)
    except (ValueError, RecursionError) as error:
        raise bad_reply(f"the reply is no Anthropic message ({error}): {error_text(content)}") from None
    if message.error or message.type != "message":
        raise bad_reply(f"the reply is no Anthropic message: {error_message(message.error) or error_text(content)}")
    return _reply(message.content, message.stop_reason, message.usage, beside_message(content))


def _piece_in(delta: JsonObject) -> JsonValue:
    return delta.get("text") or delta.get("partial_json") or delta.get("thinking") or ""


async def read_stream(events: AsyncIterator[bytes]) -> ModelReply:
    """A reply that came as events. One that breaks off is an error: half an answer must not be judged."""
    blocks: dict[int, _Block] = {}
    pieces: dict[int, list[str]] = {}
    missed: list[Unread] = []
    spent, begun, stopped, reason = _Usage(), False, False, None

    def so_far() -> ModelReply:
        return _reply([_joined(blocks[at], "".join(pieces[at])) for at in sorted(blocks)], reason, spent, missed)

    on_broken_stream(so_far)
    async for data in events:
        try:
            event = _decode_event(data)
        except (ValueError, RecursionError) as error:
            raise bad_reply(f"the stream holds no Anthropic event ({error}): {error_text(data)}") from None
        missed += beside_event(data)
        match event.type:
            case "error":
                raise bad_reply(f"the stream reports an error: {error_message(event.error) or error_text(data)}")
            case "message_start" if event.message:
                if begun:
                    missed.append(Unread(error_text(data), "a second message_start"))
                spent, begun = event.message.usage, True
            case "content_block_start" if event.content_block:
                if event.index in blocks:
                    missed.append(Unread(str(blocks[event.index])[:160], f"content block {event.index}, begun twice"))
                blocks[event.index] = event.content_block
                pieces[event.index] = []
            case "content_block_delta" if event.index in pieces and is_object(event.delta):
                piece = _piece_in(event.delta)
                pieces[event.index].append(piece if isinstance(piece, str) else "")
                if not isinstance(piece, str):
                    missed.append(Unread(error_text(data), f"content block {event.index}, a piece that is no text"))
            case "content_block_delta" | "content_block_start":
                missed.append(Unread(error_text(data), "a piece of no content block"))
            case "message_delta" if is_object(event.delta):
                told = event.delta.get("stop_reason") or reason
                reason = told if told is None or isinstance(told, str) else text_of(told)
                if event.usage is not None:
                    spent = _Usage(event.usage.input_tokens or spent.input_tokens, event.usage.output_tokens)
            case "message_stop":
                stopped = True
            case _:
                pass
    if not stopped and reason is None:
        raise bad_reply(f"the stream ended without a stop reason, after {len(blocks)} content blocks")
    return so_far()


def _joined(block: _Block, added: str) -> _Block:
    match block.type:
        case "text":
            return _Block(type="text", text=block.text + added)
        case "thinking":
            return _Block(type="thinking", thinking=block.thinking + added)
        case "tool_use" | "server_tool_use" | "mcp_tool_use" if added:
            return _Block(type=block.type, id=block.id, name=block.name, input=added)
        case _:
            return block


_HOSTED = ("server_tool_use", "mcp_tool_use")
"""Calls that the provider made itself."""
_CALLS = ("tool_use", *_HOSTED)
_NEITHER = ("thinking", "redacted_thinking", "text")


def _reply(blocks: Sequence[_Block], reason: str | None, spent: _Usage, missed: Sequence[Unread] = ()) -> ModelReply:
    if any(block.type in _CALLS and not block.name for block in blocks):
        raise bad_reply("a tool_use block without a name")
    calls = tuple(_call(block, blocks) for block in blocks if block.type in _CALLS)
    if reason == "tool_use" and not calls:
        missed = [*missed, Unread(reason, "stop_reason, although no call was read", "call")]
    thinking = "".join(block.thinking for block in blocks if block.type == "thinking")
    return ModelReply(
        text="".join(block.text for block in blocks if block.type == "text"),
        calls=calls,
        finish_reason=FINISH_REASONS.get(reason or "", reason),
        usage=None if spent == _Usage() else Usage(spent.input_tokens or 0, spent.output_tokens or 0),
        extra={"reasoning": thinking} if thinking else {},
        unread=(*missed, *(Unread(str(block)[:160], "$.content") for block in blocks if _is_unknown(block))),
    )


def _call(block: _Block, blocks: Sequence[_Block]) -> ToolCall:
    call = ToolCall(id=block.id, name=block.name, args=call_arguments(block.input))
    if block.type not in _HOSTED:
        return call
    found = next((other for other in blocks if other.tool_use_id == block.id and _is_result(other)), None)
    if found is None:
        return structs.replace(call, error="the provider showed no result")
    told: JsonValue = found.content
    failed = found.is_error or (is_object(told) and str(told.get("type")).endswith("_error"))
    return structs.replace(call, error=text_of(told)) if failed else structs.replace(call, result=told)


def _is_result(block: _Block) -> bool:
    return block.type.endswith("_tool_result")


def _is_unknown(block: _Block) -> bool:
    """Whether a block may hold words or a call under a type nobody knows; results of hosted tools hold neither."""
    return block.type not in (*_CALLS, *_NEITHER) and not _is_result(block)
