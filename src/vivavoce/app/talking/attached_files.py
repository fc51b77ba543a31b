"""Attachments that travelled inside a line → files beside the case that names them."""

import base64
import binascii
import mimetypes
import re

from msgspec import structs

from vivavoce.model.case import Case
from vivavoce.model.json_value import JsonValue, is_object
from vivavoce.model.message import Content, ContentPart
from vivavoce.sources.decoding.content_decoder import FILE_PREFIX

_DATA = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,")
_NOT_A_NAME = re.compile(r"[^\w.-]+")


def with_files(case: Case, folder: str) -> tuple[Case, dict[str, bytes]]:
    """The case with files instead of data in its lines, and the files by `folder/name`."""
    files: dict[str, bytes] = {}

    def filed(content: Content) -> Content:
        return content if isinstance(content, str) else [_filed(part, folder, files) for part in content]

    turns = tuple(structs.replace(turn, content=filed(turn.content)) for turn in case.turns)
    return structs.replace(case, turns=turns), files


def _filed(part: ContentPart, folder: str, files: dict[str, bytes]) -> ContentPart:
    """The part, naming a file; as it is where it holds no data that can be read."""
    kind, inner = part.get("type"), part.get(str(part.get("type")))
    if not is_object(inner):
        return part
    if kind == "input_audio":
        ending, encoded, name = f".{inner.get('format')}", inner.get("data"), "audio"
    else:
        head = _DATA.match(str(inner.get("url")))
        ending = (mimetypes.guess_extension(head[1]) or ".bin") if head else ""
        encoded = str(inner["url"])[head.end() :] if head else None
        name = "picture" if kind == "image_url" else "file"
    data = _decoded(encoded)
    if data is None:
        return part
    given = str(inner.get("filename") or "")
    path = _place(f"{folder}/{_plain_name(given) or name + ending}", data, files)
    kinds = {"image_url": "image", "input_audio": "audio"}
    return {"type": kinds.get(str(kind), "file"), "source": f"{FILE_PREFIX}{path}"}


def _plain_name(given: str) -> str:
    """The name without anything that could lead elsewhere."""
    return _NOT_A_NAME.sub("-", given.rpartition("/")[2]).lstrip(".-")[:80]


def _place(path: str, data: bytes, files: dict[str, bytes]) -> str:
    stem, dot, ending = path.rpartition(".")
    number = 1
    while files.get(path, data) != data:
        number += 1
        path = f"{stem}-{number}{dot}{ending}"
    files[path] = data
    return path


def _decoded(encoded: JsonValue) -> bytes | None:
    if not isinstance(encoded, str):
        return None
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        return None
