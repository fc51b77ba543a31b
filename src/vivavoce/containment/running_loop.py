"""Whether code stands inside an event loop, where it may wait for nothing but what it awaits."""

import asyncio


def loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
