"""asyncio leaks a connection that is just being accepted while its server is closed."""

import asyncio

_STEPS = 5
"""More than the loop needs from an accepted socket to the server's first call."""


async def pending_accepts() -> None:
    """Lets the loop finish accepting. To be awaited before a server is closed, when no client connects any more."""
    for _ in range(_STEPS):
        await asyncio.sleep(0)
