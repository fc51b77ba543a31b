"""Whether code runs inside an event loop, where it must not block."""

import asyncio


def loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
