"""What viva must know of a model API to record calls, to match requests and to read the tool calls in them."""

from collections.abc import AsyncIterator, Awaitable, Callable

from msgspec import Struct

from vivavoce.model.json_value import JsonArray, JsonObject, JsonValue
from vivavoce.notation.content_parts import Result
from vivavoce.protocols import ModelReply


class Sections(Struct, frozen=True, kw_only=True):
    """The sections of a request, so that two requests can be compared section by section."""

    model: JsonValue = None
    system: JsonValue = None
    tools: JsonValue = None
    params: JsonValue = None
    talk: JsonArray = []
    """The messages in order, without those of the system."""


NAMES = ("model", "system", "tools", "params", "talk")
"""The sections in the order in which differences are reported."""


class Said(Struct, frozen=True, kw_only=True):
    """The part of a message that must be the same when the conversation is replayed."""

    role: str
    text: str = ""
    calls: tuple[tuple[str, JsonValue], ...] = ()
    """Tools that were asked for, each with its arguments."""
    ids: tuple[str, ...] = ()
    """The ids of these calls; empty texts for calls without an id."""
    results: int = 0
    """The number of tool results in it; their contents may differ."""


class Dialect(Struct, frozen=True, kw_only=True):
    """One model API."""

    name: str
    sections: Callable[[JsonObject], Sections]
    """Splits the body of a request."""
    said: Callable[[JsonValue], Said]
    """Reads one message of `Sections.talk`."""
    results: Callable[[JsonObject], list[Result]]
    """The tool results in the body of a request, in order."""
    whole: Callable[[bytes], ModelReply]
    """Reads an answer that came in one piece. Raises CallFailed."""
    stream: Callable[[AsyncIterator[bytes]], Awaitable[ModelReply]]
    """Reads an answer that came as events. Raises CallFailed."""
    refusal: Callable[[str], JsonObject]
    """The body of an error answer, in the form that the API's clients read."""
    streams: Callable[[JsonObject, str], bool] = lambda body, _path: body.get("stream") is True
    """Whether a request with this body, to this path, asks for a stream."""


def without(body: JsonObject, *names: str) -> JsonObject:
    """The fields of a body besides these."""
    return {name: value for name, value in body.items() if name not in names}
