"""What viva must know of a model API to record its calls, to match requests and to see the tool calls in them."""

from collections.abc import AsyncIterator, Awaitable, Callable

from msgspec import Struct

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue
from vivavoce.notation.content_parts import Result
from vivavoce.protocols import ModelReply


class Sections(Struct, frozen=True, kw_only=True):
    """A request taken apart, so that two of them can be compared piece by piece."""

    model: JsonValue = None
    system: JsonValue = None
    tools: JsonValue = None
    params: JsonValue = None
    talk: JsonArray = []
    """The messages in order, those of the system left out."""


NAMES = ("model", "system", "tools", "params", "talk")
"""The sections in the order in which differences are reported."""


class Said(Struct, frozen=True, kw_only=True):
    """What one message of a conversation does: the part of it that must be the same when it is replayed."""

    role: str
    text: str = ""
    calls: tuple[tuple[str, JsonValue], ...] = ()
    """Tools that were asked for, each with its arguments."""
    ids: tuple[str, ...] = ()
    """The ids of these calls; empty texts where there are none."""
    results: int = 0
    """The number of tool results in it; their contents may differ."""


class Dialect(Struct, frozen=True, kw_only=True):
    """One model API."""

    name: str
    sections: Callable[[JsonObject], Sections]
    """Takes the body of a request apart."""
    said: Callable[[JsonValue], Said]
    """Reads one message of `Sections.talk`."""
    results: Callable[[JsonObject], list[Result]]
    """The tool results that a request's body brings, in order."""
    whole: Callable[[bytes], ModelReply]
    """Reads an answer that came in one piece. Raises CallFailed."""
    stream: Callable[[AsyncIterator[bytes]], Awaitable[ModelReply]]
    """Reads an answer that came as events. Raises CallFailed."""
    refusal: Callable[[str], JsonObject]
    """The body of an error answer, in the shape in which the API's clients read it."""
    streams: Callable[[JsonObject, str], bool] = lambda body, _path: body.get("stream") is True
    """Whether a request with this body, to this path, asks for a stream."""


def without(body: JsonObject, *names: str) -> JsonObject:
    """The fields of a body besides these."""
    return {name: value for name, value in body.items() if name not in names}
