"""Strikes out secrets before a tape is written: known ones, and everything that looks like a key."""

import re
from collections.abc import Iterable, Mapping

from vivavoce.containment.written_secrets import is_named_like_a_key
from vivavoce.model.json_value import JsonValue, is_array, is_object
from vivavoce.project.redaction import MASK, Secrets
from vivavoce.project.variables import environment_keys

_SHAPES = re.compile(
    r"\bsk-[A-Za-z0-9_-]{16,}|\bAIza[0-9A-Za-z_-]{30,}|\beyJ(?:(?!\beyJ)[\w-]){8,}\.[\w-]{8,}\.[\w-]{4,}"
    r"|(?<=\bBearer )[\w.~+/=-]{12,}|\bgh[pousr]_[A-Za-z0-9]{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAKIA[0-9A-Z]{16}\b"
)
"""Keys of the usual providers, JSON web tokens, bearer tokens. A JSON web token's first part has no second `eyJ`."""
_SECRET_HEADERS = ("authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie", "proxy-authorization")


class Censor:
    """Strikes out every known secret, and everything that looks like a key."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self.add(secret_values({}))

    def add(self, values: Iterable[str]) -> None:
        """Adds secrets."""
        for value in values:
            self._secrets.add(value)

    def learn(self, headers: Mapping[str, str]) -> None:
        """Adds the values of request headers that carry keys."""
        for value in _secret_headers(headers):
            self._secrets.add_header(value)

    def text(self, text: str) -> str:
        return _SHAPES.sub(MASK, self._secrets.mask(text))

    def data(self, value: JsonValue) -> JsonValue:
        """A JSON value without secrets, also in its keys."""
        if is_object(value):
            return {self.text(str(key)): self.data(inner) for key, inner in value.items()}
        if is_array(value):
            return [self.data(inner) for inner in value]
        return self.text(value) if isinstance(value, str) else value

    def body(self, data: bytes) -> bytes:
        """The same for bytes whose length must stay: each secret becomes as many stars."""
        # latin-1 maps every byte to one character.
        text = self._secrets.overwritten(data, _shaped).decode("latin-1")
        return _SHAPES.sub(lambda found: "*" * len(found[0]), text).encode("latin-1")


def secret_values(headers: Mapping[str, str]) -> list[str]:
    """The values in the environment and in these headers whose names look like those of keys."""
    found = _secret_headers(headers)
    return [*environment_keys(), *found, *(value.partition(" ")[2] for value in found if " " in value)]


def censor_of(values: Iterable[str]) -> Censor:
    """A censor that knows these secrets."""
    censor = Censor(Secrets())
    censor.add(values)
    return censor


def _secret_headers(headers: Mapping[str, str]) -> list[str]:
    return [value for name, value in headers.items() if name.lower() in _SECRET_HEADERS or is_named_like_a_key(name)]


def _shaped(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in _SHAPES.finditer(text)]
