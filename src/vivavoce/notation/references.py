"""References as users write them: `agents:x?count=3`, `scripts:m.f`, `python:m:f`, `agui:url`, paths."""

import re
from urllib.parse import parse_qsl

from msgspec import Struct

from vivavoce.model.json_value import JsonObject, JsonValue

_LONGEST_NUMBER = 300


class Ref(Struct, frozen=True):
    """A parsed `kind:name?param=value`."""

    kind: str
    name: str
    params: JsonObject

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}" if self.kind else self.name


def parse_ref(text: str, kinds: tuple[str, ...], default_kind: str = "") -> Ref:
    """Splits a known prefix and the query off; an unknown prefix is part of the name."""
    kind, colon, rest = text.partition(":")
    if not colon or kind not in kinds:
        kind, rest = default_kind, text
    name, _, query = rest.partition("?")
    return Ref(kind, name, parse_params(query))


def parse_params(query: str) -> JsonObject:
    """Returns query values as int, float or bool if they look like one; of a repeated key, the first counts."""
    params: JsonObject = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        params.setdefault(key, _typed(value))
    return params


_NAMES_A_FILE = r"(?i)\.(jsonl|json|ya?ml)(?!\w)|/\Z"
"""Also matches `cases.jsonl:12x`, `cases.JSONL` and `tests/`, which are not meant as messages."""


def looks_like_path(text: str) -> bool:
    """Whether a missing input was meant as a file rather than as a message."""
    if not text or re.search(r"\s", text.strip()):
        return False
    return text.count("/") >= 2 or text.startswith(("./", "../")) or re.search(_NAMES_A_FILE, text) is not None


def _typed(value: str) -> JsonValue:
    if value in ("true", "false"):
        return value == "true"
    # Python refuses to read numbers of thousands of digits.
    if len(value) > _LONGEST_NUMBER:
        return value
    if re.fullmatch(r"[-+]?\d+", value):
        return int(value)
    if re.fullmatch(r"[-+]?(\d++\.?\d*+|\.\d++)([eE][-+]?\d+)?", value):
        return float(value)
    return value
