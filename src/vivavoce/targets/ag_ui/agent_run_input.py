"""The request body of one agent run: AG-UI's RunAgentInput, as every server from 0.x on accepts it."""

import itertools
import uuid
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from vivavoce.model.case import FrontendTool
from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.message import Content, ContentPart, Message, text_of_content


class Envelope(Struct, frozen=True, kw_only=True):
    """The envelope that CopilotKit's single endpoint wants around the body."""

    agent_id: str

    def around(self, run: JsonObject) -> JsonObject:
        return {"method": "agent/run", "params": {"agentId": self.agent_id}, "body": run}


def agent_run_ids() -> Iterator[str]:
    """Makes unique ids: random for the process, counted within it. Some servers want the form of a UUID."""
    prefix = uuid.uuid4().hex[:20]
    for number in itertools.count(1):
        yield f"{prefix}{number:012x}"


class Extras(Struct, frozen=True, kw_only=True):
    """What belongs to messages on the wire but not to the conversation, by message or call id."""

    errors: Mapping[str, str] = {}
    """Why a front-end tool failed, by tool call id."""
    encrypted: Mapping[str, str] = {}


def wire_tools(tools: Sequence[FrontendTool]) -> list[JsonObject]:
    return [
        {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters or {"type": "object", "properties": {}},
        }
        for tool in tools
    ]


def wire_messages(messages: Sequence[Message], extras: Extras) -> list[JsonObject]:
    """The whole history; every message needs an id, so those without one get one that stays the same."""
    return [_wire_message(message, number, extras) for number, message in enumerate(messages, 1)]


def _wire_message(message: Message, number: int, extras: Extras) -> JsonObject:
    wire: JsonObject = {"id": message.id or f"message-{number}", "role": message.role}
    wire["content"] = wire_content(message.content)
    if message.name and message.role != "tool":
        wire["name"] = message.name
    if message.tool_calls:
        wire["toolCalls"] = [_with_encrypted(call, str(call.get("id")), extras) for call in message.tool_calls]
    if message.tool_call_id is not None:
        wire["toolCallId"] = message.tool_call_id
        if message.tool_call_id in extras.errors:
            wire["error"] = extras.errors[message.tool_call_id]
    return _with_encrypted(wire, wire["id"], extras)


def _with_encrypted(wire: JsonObject, of: str, extras: Extras) -> JsonObject:
    return {**wire, "encryptedValue": extras.encrypted[of]} if of in extras.encrypted else wire


def wire_content(content: Content) -> str | list[JsonObject]:
    """Plain text as a string (all that old servers take); media as parts with a source."""
    if isinstance(content, str) or all(part.get("type") == "text" for part in content):
        return text_of_content(content)
    return [_wire_part(part) for part in content]


def _wire_part(part: ContentPart) -> JsonObject:
    kind = part.get("type")
    if kind == "image_url":
        image: JsonValue = part.get("image_url")
        return {"type": "image", "source": _source(str(image.get("url") if is_object(image) else image))}
    if kind == "input_audio":
        audio: JsonObject = part.get("input_audio") or {}
        source = {"type": "data", "value": audio.get("data", ""), "mimeType": f"audio/{audio.get('format', 'wav')}"}
        return {"type": "audio", "source": source}
    if kind == "file":
        file: JsonObject = part.get("file") or {}
        source = _source(str(file.get("file_data") or file.get("url") or file.get("file_id") or ""))
        name = file.get("filename")
        return {"type": "document", "source": source, **({"metadata": {"filename": name}} if name else {})}
    return dict(part)


def _source(address: str) -> JsonObject:
    if not address.startswith("data:"):
        return {"type": "url", "value": address}
    head, _, value = address.partition(",")
    media_type = head.removeprefix("data:").removesuffix(";base64")
    return {"type": "data", "value": value, "mimeType": media_type or "application/octet-stream"}
