"""Content parts in their many spellings → the canonical (OpenAI chat) form."""

from collections.abc import Callable

from vivavoce.errors import did_you_mean
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import Content, ContentPart
from vivavoce.model.server_request import VERBS, check_request, content_of_request
from vivavoce.notation.place import Place, quoted

FILE_PREFIX = "file://"
PART_FIELDS: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("source", "url", "detail"),
    "image_url": ("image_url",),
    "audio": ("source", "data", "format", "input_audio"),
    "input_audio": ("source", "data", "format", "input_audio"),
    "file": ("source", "url", "name", "filename", "file"),
    "data": ("data",),
}
"""The fields that a part of each kind may have besides its `type`."""


def decode_content(value: JsonValue, place: Place) -> Content:
    """Text, one part, or a list of parts. Files are not read here: a `source` stays as it is."""
    if isinstance(value, str):
        return value
    if is_object(value):
        return [decode_part(value, place)]
    if is_array(value):
        return decode_parts(value, place)
    raise place.wanted("text or content parts", value)


def decode_request(value: JsonObject, place: Place) -> Content:
    """A request of an MCP server as the content of a line."""
    try:
        return content_of_request(check_request(value))
    except ValueError as error:
        raise place.problem(f"a request of an MCP server: {error}") from None


def decode_parts(values: JsonArray, place: Place) -> list[ContentPart]:
    parts: list[ContentPart] = []
    for index, value in enumerate(values):
        if not is_object(value):
            found = f"part at index {index}: wanted an object, found {quoted(value)}"
            raise place.problem(found, 'write {"type": "text", "text": "…"}')
        parts.append(decode_part(value, place.at(index)))
    return parts


def decode_part(part: JsonObject, place: Place) -> ContentPart:
    kind = part.get("type")
    if not isinstance(kind, str) or not kind:
        raise place.problem(
            f"a content part needs a 'type', one of {', '.join(PART_FIELDS)}",
            did_you_mean(next(iter(part), ""), ["type"]) or misspelt_request(part),
        )
    if kind not in PART_FIELDS:
        # Only the agent knows this kind: viva keeps its text.
        return {"type": kind, "text": part["text"]} if isinstance(part.get("text"), str) else {"type": kind}
    _only(part, PART_FIELDS[kind], place)
    return _DECODERS[kind](part, place)


def misspelt_request(value: JsonObject) -> str | None:
    """A hint for an object that was probably meant as a request of an MCP server; None for any other."""
    if not value.keys().isdisjoint({"role", "content", "type"}):
        return None
    hint = did_you_mean(next(iter(value), ""), list(VERBS))
    if hint is None and "args" not in value:
        return None
    return f"{hint or ''} a request of an MCP server has one of {', '.join(VERBS)}".strip()


def _text(part: JsonObject, place: Place) -> ContentPart:
    return {"type": "text", "text": _word(part, "text", place)}


def _image(part: JsonObject, place: Place) -> ContentPart:
    detail = _word(part, "detail", place, "auto")
    if "source" in part:
        return _with_detail({"type": "image", "source": _file_source(part, place)}, detail)
    if "url" not in part:
        raise place.problem("an image needs a 'source' (file://…) or a 'url'")
    return _image_at(_word(part, "url", place), detail)


def _image_url(part: JsonObject, place: Place) -> ContentPart:
    image, place = _inner(part, "image_url", place), place.at("image_url")
    _only(image, ("url", "detail"), place)
    return _image_at(_word(image, "url", place), _word(image, "detail", place, "auto"))


def _image_at(url: str, detail: str) -> ContentPart:
    if url.startswith(FILE_PREFIX):
        return _with_detail({"type": "image", "source": url}, detail)
    return {"type": "image_url", "image_url": {"url": url, "detail": detail}}


def _with_detail(part: ContentPart, detail: str) -> ContentPart:
    return part if detail == "auto" else {**part, "detail": detail}


def _audio(part: JsonObject, place: Place) -> ContentPart:
    if "source" in part:
        return {"type": "audio", "source": _file_source(part, place)}
    if "data" in part:
        sound = part
    elif "input_audio" in part:
        sound, place = _inner(part, "input_audio", place), place.at("input_audio")
        _only(sound, ("data", "format"), place)
    else:
        raise place.problem("audio needs a 'source' (file://…) or 'data' and 'format'")
    return {
        "type": "input_audio",
        "input_audio": {"data": _word(sound, "data", place), "format": _word(sound, "format", place)},
    }


def _file(part: JsonObject, place: Place) -> ContentPart:
    if "source" in part:
        return _named({"type": "file", "source": _file_source(part, place)}, _file_name(part, place))
    if "url" in part:
        url, name = _word(part, "url", place), _file_name(part, place)
    elif "file" in part:
        inner, place = _inner(part, "file", place), place.at("file")
        if "file_id" in inner or "file_data" in inner:
            _only(inner, ("file_id", "file_data", "filename"), place)
            return {"type": "file", "file": inner}
        _only(inner, ("url", "filename"), place)
        url, name = _word(inner, "url", place), _word(inner, "filename", place, "")
    else:
        raise place.problem("a file needs a 'source' (file://…), a 'url' or a 'file'")
    if url.startswith(FILE_PREFIX):
        return _named({"type": "file", "source": url}, name)
    return {"type": "file", "file": {"url": url, "filename": name}}


def _file_name(part: JsonObject, place: Place) -> str:
    return _word(part, "filename", place, "") or _word(part, "name", place, "")


def _named(part: ContentPart, name: str) -> ContentPart:
    return {**part, "name": name} if name else part


def _data(part: JsonObject, place: Place) -> ContentPart:
    return {"type": "data", "data": _inner(part, "data", place)}


_DECODERS: dict[str, Callable[[JsonObject, Place], ContentPart]] = {
    "text": _text,
    "image": _image,
    "image_url": _image_url,
    "audio": _audio,
    "input_audio": _audio,
    "file": _file,
    "data": _data,
}


def _only(part: JsonObject, known: tuple[str, ...], place: Place) -> None:
    for name in part:
        if name not in known and name != "type":
            raise place.unknown(name, ["type", *known])


def _word(part: JsonObject, name: str, place: Place, default: str | None = None) -> str:
    value = part.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise place.at(name).wanted("text", value)
    return value


def _inner(part: JsonObject, name: str, place: Place) -> JsonObject:
    value = part.get(name)
    if not is_object(value):
        raise place.at(name).wanted("an object", value)
    return value


def _file_source(part: JsonObject, place: Place) -> str:
    source = _word(part, "source", place)
    if not source.startswith(FILE_PREFIX) or source == FILE_PREFIX:
        raise place.at("source").wanted("a file:// path", source, "what lies on the web goes into 'url'")
    return source
