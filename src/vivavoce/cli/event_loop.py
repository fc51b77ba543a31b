"""The event loop a run works in: uvloop where it is installed, unless VIVA_LOOP=asyncio."""

import asyncio
import gc
import os
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any

from vivavoce.errors import UsageError


def run_async(main: Callable[[dict[str, Any]], Coroutine[Any, Any, int]], flags: dict[str, Any]) -> int:
    """Works `main` off, in the fastest loop there is."""
    collect_rarely()
    with asyncio.Runner(loop_factory=_loop_factory(os.environ.get("VIVA_LOOP"))) as runner:
        return runner.run(main(flags))


def collect_rarely() -> None:
    """What is loaded stays, and results are freed as they pass: looking for cycles all the time cost a fifth."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def _loop_factory(wanted: str | None) -> Callable[[], asyncio.AbstractEventLoop] | None:
    if wanted == "asyncio":
        return None
    if wanted not in (None, "", "uvloop"):
        raise UsageError(f"bad loop {wanted!r}", at="VIVA_LOOP", hint="use asyncio or uvloop")
    try:
        uvloop: Any = import_module("uvloop")
    except ImportError:
        if wanted:
            raise UsageError("uvloop is not installed", at="VIVA_LOOP", hint="install vivavoce[uvloop]") from None
        return None
    return uvloop.new_event_loop
