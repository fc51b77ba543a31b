"""Keeping the event loop free while something large is judged."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from vivavoce.containment.overlong_work import LIMIT_S, finished_apart

P = ParamSpec("P")
T = TypeVar("T")

LARGE = 1_000_000


async def sized(size: int, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Small work is done at once, large work in a thread, with a limit: other conversations go on meanwhile."""
    if size <= LARGE or not _is_on_a_loop():
        return work(*args, **kwargs)
    return await finished_apart(partial(work, *args, **kwargs), LIMIT_S, "the check")


def _is_on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
