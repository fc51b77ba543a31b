"""The types that describe errors and answers of a model API."""

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from vivavoce.model.json_value import JsonObject

Finish: TypeAlias = Literal["stop", "length", "refusal"]
Event: TypeAlias = tuple[str, JsonObject | str]
"""The name of a server-sent event, "" for none, and its data."""


class Spoken(Struct, frozen=True, kw_only=True):
    """An answer that a fault makes up."""

    text: str
    finish: Finish
    model: str


class Bodies(Struct, frozen=True, kw_only=True):
    """How one model API writes errors and answers."""

    error: Callable[[int, str, float | None], JsonObject]
    """Takes status, message (empty: the provider's usual one) and the seconds to wait."""
    too_long: Callable[[str], JsonObject]
    """The error for too many tokens; its status is 400."""
    whole: Callable[[Spoken], JsonObject]
    events: Callable[[Spoken], Sequence[Event]]


def framed(events: Sequence[Event]) -> bytes:
    """Server-sent events as bytes."""
    return b"".join(_frame(name, data) for name, data in events)


def _frame(name: str, data: JsonObject | str) -> bytes:
    written = data.encode() if isinstance(data, str) else msgspec.json.encode(data)
    return (f"event: {name}\n" if name else "").encode() + b"data: " + written + b"\n\n"
