"""What a line holds, for frameworks: its words, and the pictures, sounds and files that come with them."""

import base64
import binascii
from typing import Literal

from msgspec import Struct

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.model.message import Content, ContentPart, text_of_content, words_of_content


class Media(Struct, frozen=True, kw_only=True):
    """A picture, sound or file of a line: its bytes, or where it is."""

    kind: Literal["image", "audio", "file"]
    media_type: str = ""
    """Empty when nobody says, as for an address."""
    data: bytes = b""
    url: str = ""
    """The address, when the bytes are not in the line."""
    name: str = ""

    @property
    def format(self) -> str:
        """`png` of `image/png`."""
        return self.media_type.partition("/")[2]

    @property
    def base64(self) -> str:
        return base64.b64encode(self.data).decode()


def words_only(content: Content, framework: str) -> str:
    """The words. Raises CallFailed where something else is with them."""
    if isinstance(content, str):
        return content
    others = [part for part in content if part.get("type") != "text"]
    if others:
        kinds = words_of_content(others).replace("\n", ", ")
        raise CallFailed(f"viva sends {framework} agents texts only, and not {kinds}", fault="test")
    return text_of_content(content)


def pieces_of(content: Content, framework: str) -> list[str | Media]:
    """Words and media in their order. Raises CallFailed, as the test's fault, for a part of another kind."""
    if isinstance(content, str):
        return [content]
    return [_piece(part, framework) for part in content]


def words_and_pictures(content: Content, framework: str) -> list[str | Media]:
    """Words and pictures with their bytes, for frameworks whose messages hold nothing else. Raises CallFailed."""
    pieces = pieces_of(content, framework)
    for piece in pieces:
        if isinstance(piece, Media) and (piece.kind != "image" or piece.url):
            raise cannot_send(piece, framework, "its messages hold texts and pictures in the line")
    return pieces


def is_words(content: Content) -> bool:
    """Whether nothing but words is in it."""
    return isinstance(content, str) or all(part.get("type") == "text" for part in content)


def cannot_send(media: Media, framework: str, why: str = "") -> CallFailed:
    """The error for media that a framework has no place for."""
    what = f"{media.media_type or media.kind}{' at an address' if media.url else ''}"
    return CallFailed(f"{framework} agents cannot be sent {what}{f': {why}' if why else ''}", fault="test")


def _piece(part: ContentPart, framework: str) -> str | Media:
    kind = str(part.get("type"))
    inner: JsonValue = part.get(kind)
    told = inner if is_object(inner) else {"url": inner}
    name = str(told.get("filename") or told.get("name") or "")
    if kind == "text":
        return str(part.get("text", ""))
    if kind == "input_audio":
        form = str(told.get("format") or "wav")
        media_type = f"audio/{'mpeg' if form == 'mp3' else form}"
        return Media(kind="audio", media_type=media_type, data=_decoded(str(told.get("data") or "")), name=name)
    url = told.get("file_data") or told.get("url")
    if kind not in ("image_url", "file") or not isinstance(url, str):
        raise CallFailed(f"viva cannot send {framework} agents content of type {kind!r}", fault="test")
    if not url.startswith("data:"):
        return Media(kind="image" if kind == "image_url" else "file", url=url, name=name)
    head, _, data = url.removeprefix("data:").partition(",")
    media_type = head.removesuffix(";base64")
    is_image = kind == "image_url" or media_type.startswith("image/")
    return Media(kind="image" if is_image else "file", media_type=media_type, data=_decoded(data), name=name)


def _decoded(data: str) -> bytes:
    try:
        return base64.b64decode(data)
    except (ValueError, binascii.Error) as error:
        raise CallFailed(f"the line's attachment is no base64 ({error})", fault="test") from None
