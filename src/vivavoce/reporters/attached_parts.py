"""What a message has besides words, in a few: `[image/png, 10.7 KB]`, `[report.pdf, 3 KB]`."""

import re
from collections.abc import Iterator

from vivavoce.model.json_value import JsonObject, JsonValue, is_object, iter_texts
from vivavoce.model.message import ATTACHMENT_NAME, Content, ContentPart
from vivavoce.wording.terminal_text import clip, one_line
from vivavoce.workspaces.survey import in_bytes

_LONGEST_NAME = 60
_URL = re.compile(r"data:([\w.+/-]+);base64,")
_KEPT = re.compile(re.escape(ATTACHMENT_NAME) + r"([\w.+/-]+);bytes=(\d+);")


def attached_parts(content: Content) -> str:
    """The parts of a message that are no words, one after the other; nothing where it has none."""
    return "" if isinstance(content, str) else " ".join(f"[{_words(part)}]" for part in content if _is_other(part))


def _is_other(part: ContentPart) -> bool:
    return part.get("type") != "text"


def _words(part: ContentPart) -> str:
    kind = one_line(str(part.get("type", "part"))).removeprefix("input_").removesuffix("_url")
    media_type, size = next(_bytes_in(part), ("", 0))
    named = clip(_name(part), _LONGEST_NAME) or (media_type if "/" in media_type else kind)
    return f"{named}, {in_bytes(size)}" if size else named


def _name(part: ContentPart) -> str:
    """The file's name, where the part has one."""
    inner: JsonValue = part.get("file")
    for place in (part, inner if is_object(inner) else JsonObject()):
        for field in ("filename", "name"):
            if isinstance(said := place.get(field), str) and said:
                return said
    return ""


def _bytes_in(part: ContentPart) -> Iterator[tuple[str, int]]:
    """The media type and the size of what is in the part, or was: a result file only names it."""
    for text in iter_texts(part):
        if found := _KEPT.match(text):
            yield found[1], int(found[2])
        elif found := _URL.match(text):
            yield found[1], _decoded_size(len(text) - found.end(), text)
    sound: JsonValue = part.get("input_audio")
    if is_object(sound) and isinstance(data := sound.get("data"), str):
        yield "", _decoded_size(len(data), data)


def _decoded_size(characters: int, text: str) -> int:
    return characters * 3 // 4 - text[-2:].count("=")
