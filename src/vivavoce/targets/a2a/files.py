"""Files on the wire: those a test attaches, and those an agent sends back."""

import base64
import binascii
import hashlib

from vivavoce.model.json_value import JsonObject, JsonValue, is_object
from vivavoce.model.message import Content, ContentPart, text_of_content
from vivavoce.targets.a2a.spelling import text_in
from vivavoce.wording.quoting import shorten

_LONGEST_TEXT = 100_000


class Attachment:
    """A file that goes with a message: its bytes in base64, or its address."""

    __slots__ = ("address", "base64", "media_type", "name")

    def __init__(self, *, source: str, media_type: str = "", name: str = "") -> None:
        self.base64 = self.address = None
        if source.startswith("data:"):
            head, _, self.base64 = source.partition(",")
            media_type = head.removeprefix("data:").removesuffix(";base64") or media_type
        else:
            self.address = source
        self.media_type = media_type or "application/octet-stream"
        self.name = name


def taken_apart(content: Content) -> tuple[str, list[Attachment], list[ContentPart]]:
    """The words, the files, and what is neither and cannot be sent."""
    if isinstance(content, str):
        return content, [], []
    files: list[Attachment] = []
    strange: list[ContentPart] = []
    for part in content:
        kind = part.get("type")
        if kind == "image_url":
            image: JsonValue = part.get("image_url")
            files.append(Attachment(source=str(image.get("url") if is_object(image) else image), media_type="image/*"))
        elif kind == "input_audio":
            audio: JsonObject = part.get("input_audio") or {}
            source = f"data:audio/{audio.get('format', 'wav')};base64,{audio.get('data', '')}"
            files.append(Attachment(source=source))
        elif kind == "file":
            file: JsonObject = part.get("file") or {}
            source = str(file.get("file_data") or file.get("url") or file.get("file_id") or "")
            files.append(Attachment(source=source, name=str(file.get("filename") or "")))
        elif kind != "text":
            strange.append(part)
    return text_of_content(content), files, strange


def described(file: JsonObject) -> JsonObject:
    """A file an agent sent: name, type, address or size and digest; the words too when it is text."""
    found: JsonObject = {}
    if name := text_in(file, "filename", "name"):
        found["name"] = name
    if media_type := text_in(file, "mediaType", "mimeType", "media_type"):
        found["media_type"] = media_type
    if address := text_in(file, "url", "uri", "fileWithUri"):
        found["url"] = address
    if encoded := text_in(file, "raw", "bytes", "fileWithBytes"):
        found |= _content(encoded, media_type)
    return found


def _content(encoded: str, media_type: str) -> JsonObject:
    try:
        # v1.0 servers may write URL-safe base64 without padding, as protobuf allows.
        padded = encoded.replace("-", "+").replace("_", "/") + "=" * (-len(encoded) % 4)
        content = base64.b64decode(padded, validate=True)
    except (binascii.Error, ValueError):
        return {"not_base64": shorten(encoded, 100)}
    found: JsonObject = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    if (media_type.startswith("text/") or "json" in media_type) and len(content) <= _LONGEST_TEXT:
        found["text"] = content.decode(errors="replace")
    return found
