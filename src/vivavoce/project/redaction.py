"""Collects secrets, and masks them in every value that viva shows or writes."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, TypeVar
from urllib.parse import unquote

import msgspec
from msgspec import Struct, UnsetType, structs

from vivavoce.containment.written_secrets import (
    MASK,
    SHORTEST_SECRET,
    is_named_like_a_key,
    secrets_in_command,
    secrets_in_text,
    secrets_in_value,
    words_of,
)
from vivavoce.model.json_value import KEPT_AS_IS, JsonValue, is_array, is_object, iter_texts
from vivavoce.project.cut_secrets import LONG, edges_of, has_cut, is_cut, parts_near_cuts, without_cut_secrets
from vivavoce.project.fixed_texts import FixedTexts
from vivavoce.project.secret_spellings import in_json, raw_bytes, spellings_of
from vivavoce.project.streamed_secrets import Places, strike_pieces

_DEEPEST = 100
_FEW = 50
"""Up to so many spellings are searched one by one; more are searched together with RE2."""
_REFERS = re.compile(r"\$\{|\$ENV\.")
"""A reference to a variable: the value of the variable is the secret, not this text."""
T = TypeVar("T")


def _none(text: str) -> list[tuple[int, int]]:
    return []


class Secrets:
    """Values from the environment and from headers, which are masked everywhere."""

    def __init__(self) -> None:
        self.on_add: Callable[[str], None] | None = None
        """Called with every new secret, so that a CI system can mask it, too."""
        self._forms: list[str] = []
        """Every spelling of every secret. Longest first, so that a secret inside a longer one hides no part of it."""
        self._encoded: list[bytes] = []
        """The same, written as JSON."""
        self._edges: set[bytes] = set()
        """Their beginnings and ends in JSON: a secret that was cut still has one of them."""
        self._search: _CombinedSearch | None = None

    def add(self, value: str) -> str:
        """Remembers a secret and returns it. Ignores short values, which would mask ordinary words."""
        if len(value) >= SHORTEST_SECRET and value not in self._forms:
            # Each line of a key of several lines is a secret, too, also without the blanks around it.
            parts = {value, value.strip(), *value.splitlines(), *map(str.strip, value.splitlines())}
            # Messages of one line have a blank in place of other white space.
            parts |= {" ".join(part.split()) for part in parts}
            forms = {form for part in parts if len(part) >= SHORTEST_SECRET for form in spellings_of(part)}
            forms.difference_update(self._forms)
            self._forms = sorted([*self._forms, *forms], key=lambda form: (-len(form), form))
            self._encoded += [in_json(form).encode() for form in forms]
            self._edges |= {in_json(edge).encode() for form in forms for edge in edges_of(form)}
            self._search = None
            if self.on_add is not None:
                self.on_add(value)
        return value

    def add_header(self, value: str) -> str:
        """Adds the whole value of a header, and the part after its scheme (`Bearer …`)."""
        self.add(value)
        scheme, _, rest = value.partition(" ")
        if rest and scheme.isalpha():
            self.add(rest)
        return value

    def add_address(self, address: str) -> None:
        """Adds the secrets of an address: `user:password@`, and query values with names like `api_key`."""
        texts = (address, unquote(address)) if "%" in address else (address,)
        for secret in (secret for text in texts for secret in secrets_in_text(text)):
            self.add(secret)
            self.add(unquote(secret))

    def add_configuration(self, config: Mapping[str, JsonValue]) -> None:
        """Adds the secrets of a configuration: in addresses, commands, headers and fields with names like `api_key`."""
        for text in iter_texts(dict(config)):
            self.add_address(text)
            self.add_all(secret for secret in secrets_in_value(text) if not _REFERS.search(secret))
        self._add_named(config)

    def _add_named(self, config: Mapping[str, JsonValue]) -> None:
        for name, value in config.items():
            if is_object(value):
                if name == "headers":
                    self._add_headers(value)
                self._add_named(value)
            elif is_array(value):
                if all(isinstance(word, str) for word in value):
                    self.add_command([str(word) for word in value])
                for inner in filter(is_object, value):
                    self._add_named(inner)
            elif isinstance(value, str) and not _REFERS.search(value):
                if is_named_like_a_key(name):
                    self.add(value)
                elif " -" in value:
                    self.add_command(words_of(value))

    def add_command(self, argv: Sequence[str]) -> None:
        """Adds the secrets among the words of a command."""
        self.add_all(secret for secret in secrets_in_command(argv) if not _REFERS.search(secret))

    def _add_headers(self, headers: Mapping[str, JsonValue]) -> None:
        for value in headers.values():
            if isinstance(value, str) and not _REFERS.search(value):
                self.add_header(value)

    def add_all(self, values: Iterable[str]) -> None:
        for value in values:
            self.add(value)

    def mask(self, text: str) -> str:
        if not self._forms:
            return text
        if len(self._forms) > _FEW:
            return self._combined().mask(text)
        for secret in self._forms:
            if secret in text:
                text = text.replace(secret, MASK)
        return without_cut_secrets(text, self._forms)

    def _combined(self) -> "_CombinedSearch":
        if self._search is None:
            self._search = _CombinedSearch(self._forms, self._encoded, self._edges)
        return self._search

    def overwritten(self, data: bytes, also: Places = _none) -> bytes:
        """Overwrites every secret in raw bytes with stars; the length stays the same.

        Also finds a secret that a stream sends in pieces. `also` finds further secrets in a text.
        """
        if self._forms:
            data = self._combined().raw.replaced(data, lambda secret: b"*" * len(secret))
        return strike_pieces(data, lambda text: [*self._places(text), *also(text)])

    def _places(self, text: str) -> list[tuple[int, int]]:
        if not self._forms or not self._combined().forms.are_in(_bytes(text)):
            return []
        return [(at, at + len(form)) for form in self._forms for at in _each(form, text)]

    def masked(self, value: T) -> T:
        """Returns the value with all secrets in its texts masked. Copies it only if it may contain a secret."""
        return rewritten(value, self.mask) if self._forms and self._may_be_in(value) else value

    def _may_be_in(self, value: object) -> bool:
        try:
            encoded = msgspec.json.encode(value)
        except (UnicodeEncodeError, TypeError, RecursionError):
            return True  # it cannot be encoded, but its text can still be printed
        return self.are_in(encoded)

    def are_in(self, line: bytes) -> bool:
        """Whether a line of JSON may contain a secret; False is certain."""
        if not self._encoded:
            return False
        if len(self._encoded) > _FEW:
            return self._combined().are_in(line)
        if any(secret in line for secret in self._encoded):
            return True
        return has_cut(line) and any(edge in line for edge in self._edges)


class _CombinedSearch:
    """Searches for very many spellings at once."""

    def __init__(self, forms: list[str], encoded: list[bytes], edges: set[bytes]) -> None:
        self._texts = forms
        self.forms = FixedTexts(map(_bytes, forms))
        self.raw = FixedTexts(map(raw_bytes, forms)) if any(map(_is_broken, forms)) else self.forms
        self._longest = len(forms[0])
        self._encoded = FixedTexts(encoded)
        self._edges_in_json = FixedTexts(edges)
        self._both_edges = {edge for form in forms for edge in edges_of(form)}
        self._edges = FixedTexts(map(_bytes, self._both_edges))

    def mask(self, text: str) -> str:
        data = _bytes(text)
        if self.forms.are_in(data):
            data = self.forms.replaced(data, lambda _: MASK.encode())
            text = data.decode(errors="surrogatepass")
        if not is_cut(text) or not (self._longest > LONG or self._edges.are_in(data)):
            return text
        return "".join(
            self._without_cut(part) if is_near else part for part, is_near in parts_near_cuts(text, self._longest)
        )

    def _without_cut(self, text: str) -> str:
        there = {edge: edge in text for edge in self._both_edges}
        near = [form for form in self._texts if len(form) > LONG or any(there[edge] for edge in edges_of(form))]
        return without_cut_secrets(text, near)

    def are_in(self, line: bytes) -> bool:
        return self._encoded.are_in(line) or (has_cut(line) and self._edges_in_json.are_in(line))


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _is_broken(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)


def _each(part: str, text: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))


def rewritten(value: JsonValue, rewrite: Callable[[str], str], depth: int = 0) -> JsonValue:
    """Applies `rewrite` to every text in a value, keys included; cuts off very deep nesting."""
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
    # A number may be a secret, too. Values that are not JSON are written as text.
    text = value if isinstance(value, str) else str(value)
    clean = rewrite(text)
    return value if clean == text else clean


@cache
def _free_fields(struct: type[Struct]) -> tuple[str, ...]:
    """Returns the fields that may contain any text."""
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
    if isinstance(described, inspect.DictType):
        return _is_free(described.key_type) or _is_free(described.value_type)
    if isinstance(described, inspect.Metadata):
        extra: Any = getattr(described, "extra", None)
        return KEPT_AS_IS not in (extra or ()) and _is_free(described.type)
    return isinstance(described, inspect.AnyType | inspect.StrType | inspect.StructType)
