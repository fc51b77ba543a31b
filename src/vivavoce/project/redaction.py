"""Secrets that must never be shown, and values with every secret in them masked."""

import re
from collections.abc import Callable
from enum import Enum
from functools import cache
from html import escape
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus, unquote, urlsplit

import msgspec
from msgspec import Struct, UnsetType, structs

from vivavoce.model.json_value import JsonValue, is_array, is_object

MASK = "***"
SHORTEST_SECRET = 6
_DEEPEST = 100
_SCHEME = re.compile(r"[A-Za-z][\w+.-]*://")
_PERCENT = re.compile("%[0-9A-F]{2}")
_LIKE_A_KEY = re.compile(
    "(?i)key|token|secret|pass|pwd|^pw$|signature|^sig$|^sas$|^code$|jwt|bearer|session|auth|credential"
)
T = TypeVar("T")


class Secrets:
    """Values that were read from the environment or put into headers, to be masked everywhere."""

    def __init__(self) -> None:
        self.on_add: Callable[[str], None] | None = None
        """Told of every new secret: a CI system may want to mask it too."""
        self._forms: list[str] = []
        """Every spelling of every secret. Longest first: one inside a longer one must not leave the rest visible."""
        self._encoded: list[bytes] = []
        """The same as they stand in JSON."""

    def add(self, value: str) -> str:
        """Remembers a secret and hands it back; short values would mask ordinary words."""
        if len(value) >= SHORTEST_SECRET and value not in self._forms:
            # Of a key of several lines each is as secret as the whole, and all without the blanks around them.
            parts = {value, value.strip(), *value.splitlines(), *map(str.strip, value.splitlines())}
            forms = {form for part in parts if len(part) >= SHORTEST_SECRET for form in _spellings(part)}
            self._forms = sorted({*self._forms, *forms}, key=lambda form: (-len(form), form))
            self._encoded = [_in_json(form).encode() for form in self._forms]
            if self.on_add is not None:
                self.on_add(value)
        return value

    def add_header(self, value: str) -> str:
        """A header's whole value, and what follows its scheme (`Bearer …`)."""
        self.add(value)
        scheme, _, rest = value.partition(" ")
        if rest and scheme.isalpha():
            self.add(rest)
        return value

    def add_address(self, address: str) -> None:
        """What is secret in an address: `user:password@`, and query values that are named like keys."""
        # It may stand behind a prefix, as in `openai:https://…`.
        start = _SCHEME.search(address)
        parts = urlsplit(address[start.start() :] if start else address)
        login = parts.netloc.rpartition("@")[0]
        for secret in (login.partition(":")[2] or login, *_keys_in(parts.query)):
            self.add(secret)
            self.add(unquote(secret))

    def mask(self, text: str) -> str:
        for secret in self._forms:
            if secret in text:
                text = text.replace(secret, MASK)
        return text

    def overwritten(self, data: bytes) -> bytes:
        """Raw bytes with every secret struck out in place: nothing else moves."""
        for form in self._forms:
            secret = form.encode(errors="surrogateescape")
            if secret in data:
                data = data.replace(secret, b"*" * len(secret))
        return data

    def masked(self, value: T) -> T:
        """The same without any secret in its texts. Costs one encoding; a copy only where one may be in it."""
        return rewritten(value, self.mask) if self._forms and self._may_be_in(value) else value

    def _may_be_in(self, value: object) -> bool:
        try:
            encoded = msgspec.json.encode(value)
        except (UnicodeEncodeError, TypeError, RecursionError):
            # It can still be printed.
            return True
        return any(secret in encoded for secret in self._encoded)


def rewritten(value: JsonValue, rewrite: Callable[[str], str], depth: int = 0) -> JsonValue:
    """The same with `rewrite` done to every text in it, keys included; what is nested endlessly is cut off."""
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, Struct):
        was = {name: getattr(value, name) for name in _free_fields(type(value))}
        return structs.replace(value, **{name: rewritten(inner, rewrite, depth + 1) for name, inner in was.items()})
    if is_object(value):
        return {
            rewritten(key, rewrite, depth + 1): rewritten(inner, rewrite, depth + 1) for key, inner in value.items()
        }
    if is_array(value):
        inside = [rewritten(inner, rewrite, depth + 1) for inner in value]
        return tuple(inside) if isinstance(value, tuple) else inside
    if value is None or isinstance(value, Enum | UnsetType):
        return value
    # A number may be an account's; what is no JSON is written as its text.
    said = value if isinstance(value, str) else str(value)
    clean = rewrite(said)
    return value if clean == said else clean


@cache
def _free_fields(struct: type[Struct]) -> tuple[str, ...]:
    """The fields that may hold any text."""
    from msgspec import inspect

    described = inspect.type_info(struct)
    assert isinstance(described, inspect.StructType)
    return tuple(field.name for field in described.fields if _is_free(field.type))


def _is_free(described: Any) -> bool:
    from msgspec import inspect

    if isinstance(described, inspect.UnionType):
        return any(map(_is_free, described.types))
    if isinstance(described, inspect.CollectionType):
        return _is_free(described.item_type)
    if isinstance(described, inspect.TupleType):
        return any(map(_is_free, described.item_types))
    return isinstance(described, inspect.AnyType | inspect.StrType | inspect.StructType | inspect.DictType)


def _spellings(value: str) -> set[str]:
    """How a text may leave: as it is, in Python's quotes, in JSON (once and twice), in an address."""
    in_json = {_in_json(value), _in_json(value).replace("/", "\\/")}
    if not value.isascii():
        import json

        in_json.add(json.dumps(value)[1:-1])
    in_address = {quote(value, safe=""), quote(value), quote_plus(value)}
    in_page = {escape(value, quote=False), escape(value), escape(value).replace("&#x27;", "&#39;")}
    return {
        value,
        repr(value)[1:-1],
        *in_json,
        *map(_in_json, in_json),
        *in_address,
        *in_page,
        *(_PERCENT.sub(lambda code: code[0].lower(), form) for form in in_address),
    }


def _keys_in(query: str) -> list[str]:
    pairs = (pair.partition("=")[::2] for pair in query.split("&"))
    return [value for name, value in pairs if _LIKE_A_KEY.search(name)]


def _in_json(text: str) -> str:
    return msgspec.json.encode(text.encode("utf-8", "replace").decode()).decode()[1:-1]
