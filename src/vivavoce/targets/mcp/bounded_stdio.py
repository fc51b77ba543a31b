"""Limits of MCP over stdio: how long one message of the server may be, and how many values it may have."""

import sys
from collections.abc import AsyncIterator, Callable
from contextvars import ContextVar
from functools import cache
from typing import Any

from vivavoce.model.value_count import TOO_MANY, has_many_values
from vivavoce.net.inflating import LARGEST_ANSWER
from vivavoce.targets.mcp.heard import Heard

on_too_much: ContextVar[Callable[[str], None] | None] = ContextVar("on_too_much", default=None)
"""Ends the server that is read in this task; told what it sent."""
heard: ContextVar[Heard | None] = ContextVar("heard", default=None)
"""Notes what the server that is read in this task sent."""


def bound_messages(stdio: Any) -> bool:
    """Lets the SDK (its module `mcp.client.stdio`) read messages within the limits, from now on; False where it cannot.

    The SDK gets whole messages only: it would copy the beginning of a message again for each further piece.
    """
    reader = getattr(stdio, "TextReceiveStream", None)
    if reader is None:
        _warn_once()
        return False
    if getattr(reader, "is_bounded", False):
        return True

    class Bounded:
        is_bounded = True

        def __init__(self, *stream: Any, **options: Any) -> None:
            self._inner = reader(*stream, **options)

        async def __aiter__(self) -> AsyncIterator[str]:
            begun, size = list[str](), 0
            async for chunk in self._inner:
                whole, end, rest = chunk.rpartition("\n")
                if end:
                    messages = "".join((*begun, whole, end))
                    if any(map(has_many_values, messages.split("\n"))):
                        _end(f"a message of {TOO_MANY}")
                        return
                    listener = heard.get()
                    yield messages if listener is None else "\n".join(map(listener.clear_line, messages.split("\n")))
                    begun, size = [], 0
                begun.append(rest)
                size += len(rest)
                if size > LARGEST_ANSWER:
                    _end(f"a message of more than {LARGEST_ANSWER >> 20} MB")
                    return

    stdio.TextReceiveStream = Bounded
    return True


@cache
def _warn_once() -> None:
    """The SDK has no public way to set a limit: one that reads otherwise gets none, and somebody should know."""
    what = f"messages of MCP servers over stdio are not limited to {LARGEST_ANSWER >> 20} MB"
    print(f"viva: warning: {what}: viva does not know how this version of the MCP SDK reads them", file=sys.stderr)


def _end(what: str) -> None:
    if (end := on_too_much.get()) is not None:
        end(what)
