"""What identifies a request on a tape: its exact key, its loose key, and the sections for both."""

import hashlib
import re
from urllib.parse import parse_qsl

import msgspec
from msgspec import Struct

from vivavoce.containment.written_secrets import is_named_like_a_key
from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue, is_object
from vivavoce.notation.json_text import json_or_text
from vivavoce.sight.dialects.dialect import NAMES, Dialect, Sections
from vivavoce.sight.dialects.known import dialect_of
from vivavoce.sight.tapes.normalising import Normaliser

_encoder = msgspec.json.Encoder(order="deterministic")
_LENGTH = 16
_BODY = "body"
_PAGE = re.compile("page|next|cursor|contin", re.IGNORECASE)
"""Tokens in a query that say which part of a list is wanted (`pageToken`), and are no keys."""


class Fingerprint(Struct, frozen=True, kw_only=True):
    """The parts of a request that decide which recorded answer it gets."""

    provider: str
    path: str
    stream: bool
    sections: Sections
    spine: JsonArray

    @property
    def key(self) -> str:
        """Equal for requests that differ only in ids, times and cache keys."""
        return digest([self.provider, self.path, self.stream, self.sections])

    @property
    def loose(self) -> str:
        """Equal for requests with the same texts and tool calls, and with results at the same places."""
        return digest([self.provider, self.path, self.stream, self.spine])

    def differences(self, other: Sections) -> list[str]:
        """The sections in which a recorded request differs from this one."""
        pairs = ((name, getattr(other, name) or None, getattr(self.sections, name) or None) for name in NAMES)
        return [name for name, recorded, now in pairs if digest(recorded) != digest(now)]


def digest(value: JsonValue) -> str:
    """A short hash of a JSON value; the order of keys does not matter."""
    return hashlib.sha256(_encoder.encode(value)).hexdigest()[:_LENGTH]


def fingerprint(
    provider: str, method: str, path: str, query: str, body: bytes, normaliser: Normaliser
) -> tuple[Fingerprint, Dialect | None]:
    """Splits a request into its sections. For an unknown API the whole body is one section."""
    dialect = dialect_of(path) if method == "POST" else None
    content = _json(body)
    wanted: JsonObject = {
        name: value for name, value in parse_qsl(query) if _PAGE.search(name) or not is_named_like_a_key(name)
    }
    wanted.pop("alt", None)
    if dialect is None or not is_object(content):
        sections = Sections(params={"method": method, "query": wanted}, talk=[] if content is None else [content])
        plain = Sections(params=normaliser.data(sections.params), talk=[normaliser.data(one) for one in sections.talk])
        spine: JsonArray = [body_spine(plain.params, normaliser.data(content))]
        return Fingerprint(provider=provider, path=path, stream=False, sections=plain, spine=spine), None
    sections = dialect.sections(content)
    if wanted and is_object(sections.params):
        sections = msgspec.structs.replace(sections, params={**sections.params, "query": wanted})
    return (
        Fingerprint(
            provider=provider,
            path=path,
            stream=dialect.streams(content, path),
            sections=normaliser.sections(sections),
            spine=normaliser.spine(dialect, sections.talk),
        ),
        dialect,
    )


def body_spine(params: JsonValue, content: JsonValue) -> JsonObject:
    """The spine for an unknown API: the whole request, so that another method or query is a miss, not drift."""
    return {"role": _BODY, "text": {**params, "body": content} if is_object(params) else content}


def _json(body: bytes) -> JsonValue:
    if not body:
        return None
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return {"sha256": hashlib.sha256(body).hexdigest()}
    return json_or_text(text)
