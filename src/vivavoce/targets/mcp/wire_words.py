"""What an MCP server sent, before the SDK drops fields it does not know; and the words that nothing else shows."""

from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from vivavoce.model.json_value import JsonValue, is_array, is_object, text_of

_NO_WORDS = frozenset({"type", "mimeType", "blob"})
_BYTES = ("image", "audio")
_newest: ContextVar[tuple[Any, JsonValue] | None] = ContextVar("_newest", default=None)
"""The last result that the SDK read in this task, and what it was read from."""


def keep_wire(session: Any) -> None:
    """From now on `wire_of` knows the results of this session of the SDK (1.x or 2.x)."""
    send_request = session.send_request

    async def send(request: Any, result_type: Any, *args: Any, **options: Any) -> Any:
        return await send_request(request, _Kept(result_type), *args, **options)

    session.send_request = send


class _Kept:
    """Stands for a type of the SDK, and remembers what it reads."""

    def __init__(self, result_type: Any) -> None:
        self._validate = getattr(result_type, "validate_python", None) or result_type.model_validate

    def model_validate(self, wire: JsonValue, *args: Any, **options: Any) -> Any:
        result = self._validate(wire, *args, **options)
        _newest.set((result, wire))
        return result


def wire_of(result: Any) -> JsonValue:
    """What a result was read from; None when another one was read since."""
    newest = _newest.get()
    return newest[1] if newest is not None and newest[0] is result else None


def other_words(wire: JsonValue, said: str) -> tuple[str, ...]:
    """The words and numbers of a server's answer that are not in `said`, as one text; negative checks look at it.

    They stand in `_meta`, in the description of a link, or in a field that neither viva nor the SDK knows.
    """
    words = dict.fromkeys(leaf for leaf in _leaves(wire) if leaf not in said)
    return ("\n".join(words),) if words else ()


def _leaves(value: JsonValue) -> Iterator[str]:
    if is_object(value):
        bytes_key = "data" if value.get("type") in _BYTES else ""
        for key, inner in value.items():
            if key not in _NO_WORDS and key != bytes_key:
                yield from _leaves(inner)
    elif is_array(value):
        for inner in value:
            yield from _leaves(inner)
    elif value is not None and not isinstance(value, bool):
        yield text_of(value)
