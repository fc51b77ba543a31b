"""What is sent: the same message in the four dialects of A2A (JSON-RPC and HTTP+JSON, v0.3 and v1.0)."""

import uuid
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonObject
from vivavoce.targets.a2a.files import Attachment

Transport: TypeAlias = Literal["JSONRPC", "HTTP+JSON"]
Version: TypeAlias = Literal["0.3", "1.0"]
Action: TypeAlias = Literal["send", "stream", "get", "card"]

OUTPUT_MODES = ("text/plain", "application/json")
VERSION_HEADER = "A2A-Version"
_METHODS: dict[Version, dict[Action, str]] = {
    "1.0": {
        "send": "SendMessage",
        "stream": "SendStreamingMessage",
        "get": "GetTask",
        "card": "GetExtendedAgentCard",
    },
    "0.3": {
        "send": "message/send",
        "stream": "message/stream",
        "get": "tasks/get",
        "card": "agent/getAuthenticatedExtendedCard",
    },
}
_PATHS: dict[Version, dict[Action, str]] = {
    "1.0": {"send": "/message:send", "stream": "/message:stream", "get": "/tasks/", "card": "/extendedAgentCard"},
    "0.3": {"send": "/v1/message:send", "stream": "/v1/message:stream", "get": "/v1/tasks/", "card": "/v1/card"},
}


class Interface(Struct, frozen=True, kw_only=True):
    """Where an agent listens, and in which dialect."""

    url: str
    transport: Transport
    version: Version
    tenant: str = ""

    def __str__(self) -> str:
        return f"{self.transport} {self.version}"


class Request(Struct, frozen=True, kw_only=True):
    """An HTTP request."""

    method: str
    url: str
    body: bytes | None = None
    name: str
    """What was asked, as the specification calls it."""


class Said(Struct, frozen=True, kw_only=True):
    """What the user's side says: words, files, and answers as data with the metadata of their parts."""

    text: str = ""
    files: tuple[Attachment, ...] = ()
    data: tuple[tuple[JsonObject, JsonObject], ...] = ()
    context_id: str = ""
    task_id: str = ""
    metadata: JsonObject = {}
    """Of the request."""


def message_request(interface: Interface, said: Said, *, stream: bool, output_modes: tuple[str, ...]) -> Request:
    """Sends a message and asks for the whole answer, or for its stream."""
    modern = interface.version == "1.0"
    configuration: JsonObject = {"acceptedOutputModes": list(output_modes)}
    if not modern and not stream:
        # Without it a v0.3 server may answer before the task is done.
        configuration["blocking"] = True
    params: JsonObject = {"message": _message(interface, said), "configuration": configuration}
    if said.metadata:
        params["metadata"] = said.metadata
    return _request(interface, "stream" if stream else "send", params)


def task_request(interface: Interface, task_id: str) -> Request:
    """Asks for a task as it is now."""
    return _request(interface, "get", {"id": task_id}, tail=task_id)


def card_request(interface: Interface) -> Request:
    """Asks for the card that only callers with credentials see."""
    return _request(interface, "card", {})


def version_headers(interface: Interface) -> dict[str, str]:
    """Servers of v1.0 take a request without the header for one of v0.3; those of v0.3 know none."""
    return {VERSION_HEADER: "1.0"} if interface.version == "1.0" else {}


def _request(interface: Interface, action: Action, params: JsonObject, *, tail: str = "") -> Request:
    name = _METHODS[interface.version][action]
    if interface.transport == "JSONRPC":
        if interface.tenant:
            params = {**params, "tenant": interface.tenant}
        body: JsonObject = {"jsonrpc": "2.0", "id": str(uuid.uuid4()), "method": name, "params": params}
        return Request(method="POST", url=_rpc_url(interface, action), body=msgspec.json.encode(body), name=name)
    path = _PATHS[interface.version][action] + tail
    tenant = f"/{interface.tenant}" if interface.tenant else ""
    url, mark, query = interface.url.partition("?")
    address = f"{url.rstrip('/')}{tenant}{path}{mark}{query}"
    if action in ("get", "card"):
        return Request(method="GET", url=address, name=f"GET {path}")
    return Request(method="POST", url=address, body=msgspec.json.encode(params), name=f"POST {path}")


def _rpc_url(interface: Interface, action: Action) -> str:
    """agno's card names the address of its stream, and every method has an address of its own there."""
    url = interface.url
    if not url.endswith("/message:stream") or action == "stream":
        return url
    return url.removesuffix("/message:stream") + ("/message:send" if action == "send" else "/tasks:get")


def _message(interface: Interface, said: Said) -> JsonObject:
    is_rpc = interface.transport == "JSONRPC"
    old = interface.version == "0.3"
    parts: list[JsonObject] = []
    parts += [_data_part(interface, data, metadata) for data, metadata in said.data]
    # One text part for all words: of several, some servers read only the last.
    if said.text or not (said.data or said.files):
        parts.append({"kind": "text", "text": said.text} if old and is_rpc else {"text": said.text})
    parts += [_file_part(interface, file) for file in said.files]
    message: JsonObject = {"messageId": str(uuid.uuid4())}
    if old and is_rpc:
        message |= {"kind": "message", "role": "user", "parts": parts}
    elif old:
        message |= {"role": "ROLE_USER", "content": parts}
    else:
        message |= {"role": "ROLE_USER", "parts": parts}
    if said.context_id:
        message["contextId"] = said.context_id
    if said.task_id:
        message["taskId"] = said.task_id
    return message


def _data_part(interface: Interface, data: JsonObject, metadata: JsonObject) -> JsonObject:
    part: JsonObject
    if interface.version == "1.0":
        part = {"data": data}
    elif interface.transport == "JSONRPC":
        part = {"kind": "data", "data": data}
    else:
        part = {"data": {"data": data}}
    return {**part, "metadata": metadata} if metadata else part


def _file_part(interface: Interface, file: Attachment) -> JsonObject:
    has_bytes = file.base64 is not None
    content = file.base64 if has_bytes else file.address
    if interface.version == "1.0":
        named: JsonObject = {"filename": file.name} if file.name else {}
        return {"raw" if has_bytes else "url": content, "mediaType": file.media_type, **named}
    name: JsonObject = {"name": file.name} if file.name else {}
    if interface.transport == "JSONRPC":
        inner: JsonObject = {"bytes" if has_bytes else "uri": content, "mimeType": file.media_type, **name}
        return {"kind": "file", "file": inner}
    inner = {"fileWithBytes" if has_bytes else "fileWithUri": content, "mimeType": file.media_type, **name}
    return {"file": inner}
