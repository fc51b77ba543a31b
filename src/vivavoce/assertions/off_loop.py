"""Keeping the event loop free while something large is judged."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

LARGE = 1_000_000


async def sized(size: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Small work is done at once, large work in a thread: other conversations go on meanwhile."""
    if size <= LARGE:
        return work(*args, **kwargs)
    return await asyncio.to_thread(work, *args, **kwargs)
