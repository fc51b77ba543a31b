"""The lines of a tape file. The first is `{"type":"tape",…}`. A repeated value is written once, named by its hash."""

from typing import Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from vivavoce.errors import CallFailed
from vivavoce.model.json_value import JsonObject, JsonValue, is_array, is_object
from vivavoce.model.message import ToolCall
from vivavoce.model.model_exchange import ModelReply
from vivavoce.sight.dialects.dialect import Sections
from vivavoce.sight.tapes.fingerprint import digest

VERSION = 1
_BY_HASH = ("system", "tools", "params")
"""Sections that are written as the hash of their value."""
Answered = TypeVar("Answered", bound=Struct)
Kind: TypeAlias = Literal["model", "http", "connector", "mcp"]


class Header(Struct, frozen=True, kw_only=True, tag_field="type", tag="tape"):
    """The first line."""

    v: int = VERSION


class Part(Struct, frozen=True, kw_only=True, tag_field="type", tag="part"):
    """A message, system prompt or tool list, named by its hash."""

    id: str
    value: JsonValue


class Begin(Struct, frozen=True, kw_only=True, tag_field="type", tag="case"):
    """The recording of a case begins here; earlier entries of this run of the case are out of date."""

    case: str
    run: int = 1


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="exchange"):
    """One call and its answer."""

    case: str
    run: int = 1
    turn: int = 0
    n: int = 0
    """Its number among the calls of the attempt."""
    kind: Kind = "model"
    provider: str = ""
    method: str = "POST"
    path: str = ""
    stream: bool = False
    key: str = ""
    loose: str = ""
    sections: JsonObject = {}
    """Model as it is; system, tools and params by hash; talk as a list of hashes."""
    status: int = 200
    headers: dict[str, str] = {}
    chunks: list[tuple[float, str]] = []
    """The pieces of the answer, each with its milliseconds after the request."""
    binary: bool = False
    """Whether the pieces are base64, for an answer that is not text."""
    aborted: bool = False
    """Whether the agent hung up before the end."""
    usage: JsonValue = None
    at: str = ""
    judge: bool = False
    """Whether a judge asked: replayed on an exact match only."""
    struck: bool = False
    """Whether a secret was struck out of the answer."""
    again: bool = False
    """Whether it may answer any number of requests, such as a list of tools."""


def answer_in(entry: Entry, kind: type[Answered]) -> Answered:
    """The answer of an entry that is kept as JSON. Raises CallFailed for one that is damaged, or was edited badly."""
    text = "".join(piece for _, piece in entry.chunks)
    try:
        fields = msgspec.json.decode(text, type=JsonObject)
        calls: JsonValue = fields.get("calls") if kind is ModelReply else None
        for each, known in ((fields, kind), *((call, ToolCall) for call in calls or () if is_object(call))):
            if unknown := each.keys() - {field.encode_name for field in msgspec.structs.fields(known)}:
                raise CallFailed(f"the tape is damaged: an answer has an unknown field {min(unknown)!r}", fault="test")
        return msgspec.json.decode(text, type=kind)
    except msgspec.DecodeError as error:
        raise CallFailed(f"the tape is damaged: {error}", fault="test") from None


Line: TypeAlias = Header | Part | Begin | Entry
decode_line = msgspec.json.Decoder(Line).decode
encode_line = msgspec.json.Encoder(order="sorted").encode


def folded(sections: Sections) -> tuple[JsonObject, dict[str, JsonValue]]:
    """Sections with their values replaced by hashes, and the values by hash."""
    values: dict[str, JsonValue] = {}

    def put(value: JsonValue) -> str:
        name = digest(value)
        values[name] = value
        return name

    names: JsonObject = {"model": sections.model, "talk": [put(message) for message in sections.talk]}
    for name in _BY_HASH:
        if (value := getattr(sections, name)) not in (None, [], {}):
            names[name] = put(value)
    return names, values


def part_names(entry: Entry) -> list[str]:
    """The hashes of the values that an entry names."""
    talk: JsonValue = entry.sections.get("talk")
    names = [*(entry.sections.get(name) for name in _BY_HASH), *(talk if is_array(talk) else ())]
    return [name for name in names if isinstance(name, str)]


def unfolded(names: JsonObject, parts: dict[str, JsonValue]) -> Sections:
    """The opposite of `folded`."""
    return Sections(
        model=names.get("model"),
        system=parts.get(str(names.get("system"))),
        tools=parts.get(str(names.get("tools"))),
        params=parts.get(str(names.get("params"))),
        talk=[parts.get(name) for name in names.get("talk", ())],
    )
