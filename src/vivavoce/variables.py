"""`${VAR}` and `${ENV.NAME}`, and the secrets that must never be shown."""

import os
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from vivavoce.masking import rewritten
from vivavoce.model.json_value import is_array, is_object

_REFERENCE = re.compile(r"\$?\$\{([^{}]*)\}")
_YAO_REFERENCE = re.compile(r"\$ENV\.(\w+)")
MASK = "***"
SHORTEST_SECRET = 6
T = TypeVar("T")


class UndefinedVariable(ValueError):
    """A `${NAME}` that nothing defines. The caller says where it stood."""


class Secrets:
    """Values that were read from the environment or put into headers, to be masked everywhere."""

    def __init__(self) -> None:
        self.on_add: Callable[[str], None] | None = None
        """Told of every new secret: a CI system may want to mask it too."""
        self._forms: list[str] = []
        """Every secret, as it is and as it stands in JSON and in Python's quotes. Longest first: one inside a longer
        one must not leave the rest of that visible."""
        self._encoded: list[bytes] = []
        """The same as they stand in JSON."""

    def add(self, value: str) -> str:
        """Remembers a secret and hands it back; short values would mask ordinary words."""
        if len(value) >= SHORTEST_SECRET and value not in self._forms:
            # Of a key of several lines each is as secret as the whole.
            lines = [line for line in value.splitlines() if len(line) >= SHORTEST_SECRET]
            forms = {*self._forms, value, _in_json(value), repr(value)[1:-1], *lines}
            self._forms = sorted(forms, key=lambda form: (-len(form), form))
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


def interpolate(text: str, variables: Mapping[str, Any], secrets: Secrets) -> str:
    """Replaces `${VAR}`, `${ENV.NAME}` and `${NAME:-default}`; `$${` is a literal `${`."""
    if "${" not in text:
        return text

    def value_of(match: re.Match[str]) -> str:
        if match[0].startswith("$$"):
            return match[0][1:]
        name, has_default, default = match[1].partition(":-")
        found = _look_up(name.strip(), variables, secrets)
        if found is None and has_default:
            return default
        if found is None:
            raise UndefinedVariable(f"undefined variable ${{{name}}}")
        return found

    return _REFERENCE.sub(value_of, text)


def interpolate_deep(value: Any, variables: Mapping[str, Any], secrets: Secrets) -> Any:
    """The same, for every string inside a JSON value."""
    if isinstance(value, str):
        return interpolate(value, variables, secrets)
    if is_object(value):
        return {key: interpolate_deep(inner, variables, secrets) for key, inner in value.items()}
    if is_array(value):
        return [interpolate_deep(inner, variables, secrets) for inner in value]
    return value


def expand_yao_env(text: str, secrets: Secrets) -> str:
    """Yao's `$ENV.NAME`, as its connector and prompt files write it; unknown names become empty."""
    return _YAO_REFERENCE.sub(lambda match: secrets.add(os.environ.get(match[1], "")), text)


def _in_json(text: str) -> str:
    return msgspec.json.encode(text.encode("utf-8", "replace").decode()).decode()[1:-1]


def _look_up(name: str, variables: Mapping[str, Any], secrets: Secrets) -> str | None:
    if name.startswith("ENV."):
        found = os.environ.get(name[4:])
        return None if found is None else secrets.add(found)
    if name not in variables:
        return None
    value = variables[name]
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
