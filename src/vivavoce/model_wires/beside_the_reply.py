"""What stands on a wire beside what is read of it: unknown fields, keys written twice, events after the end."""

import asyncio
from collections.abc import AsyncIterator, Set
from contextlib import suppress

from vivavoce.model.json_value import JsonObject
from vivavoce.model.message import Unread
from vivavoce.notation.hidden_calls import looks_like_calls, names_tools, says_something, unread
from vivavoce.notation.json_text import repeats_a_key
from vivavoce.notation.possible_names import names_beside

_WAIT_FOR_END_S = 1.0
"""How long a stream may stay open after its end."""
_NO_WORDS = frozenset({"type", "index", "sequence_number", "object", "obfuscation"})
_SIGNS_OF_LIFE = (b"", b"[DONE]")
_NO_NAMES = frozenset(
    {"truncation", "prompt_cache_retention", "metadata", "obfuscation", "stop_details", "output_text"}
)
"""Fields whose texts are words of the API, or were sent by the caller."""


OTHER_NAMES = frozenset({"function", "tool", "tool_name", "custom", "parameters", "params", "kwargs"})
"""Keys under which a call may repeat its name or its arguments."""


def calls_beside(told: JsonObject, known: Set[str], where: str, *, also: Set[str] = frozenset()) -> list[Unread]:
    """Unread fields that may hold a call, or its name. Those in `also` count whenever they are not empty."""
    found: list[Unread] = []
    for key, value in told.items():
        if key in known:
            continue
        if (key in also and says_something(value)) or names_tools({key: value}) or looks_like_calls({key: value}):
            found.append(unread({key: value}, f"{where}.{key}", "call"))
        else:
            found += names_beside({key: value}, _NO_NAMES, where)
    return found


def unknown_event(event: JsonObject) -> list[Unread]:
    """An event of a type that nobody knows: unread, unless it says nothing."""
    told = {key: value for key, value in event.items() if key not in _NO_WORDS and not key.endswith("id")}
    return [unread(event, "an event of an unknown type")] if says_something(told) else []


def keys_written_twice(content: bytes) -> list[Unread]:
    """A piece of JSON in which an object has a key twice: one of the two values is lost to every reader."""
    text = content.decode(errors="replace")
    return [unread(text, "an object with a key written twice")] if repeats_a_key(text) else []


async def after_the_end(events: AsyncIterator[bytes], where: str) -> list[Unread]:
    """What comes after the end is no part of the answer, but it came."""
    late: list[Unread] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(_WAIT_FOR_END_S):
            async for data in events:
                if data.strip() not in _SIGNS_OF_LIFE and b'"ping"' not in data and b'"keepalive"' not in data:
                    late.append(unread(data.decode(errors="replace"), where))
    return late
