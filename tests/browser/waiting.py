"""Waiting for a page: a busy machine draws later, and that is no failure."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

LONGEST_S = 120


async def becomes(look: Callable[[], Awaitable[Any]], wanted: Any) -> None:
    """Looks at a page until it shows what is wanted; fails with what it showed last."""
    seen = await look()
    try:
        async with asyncio.timeout(LONGEST_S):
            while seen != wanted:
                await asyncio.sleep(0.05)
                seen = await look()
    except TimeoutError:
        assert seen == wanted


async def held_back(page: Any, address: str) -> asyncio.Event:
    """Requests to addresses like this one wait until the event is set."""
    may_go = asyncio.Event()

    async def wait(route: Any) -> None:
        await may_go.wait()
        await route.continue_()

    await page.route(address, wait)
    return may_go
