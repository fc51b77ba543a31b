"""An event loop in a thread of its own, for frameworks that run blocking tools in the loop."""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")


class OwnLoop:
    """Runs coroutines in its thread, so that a tool that blocks holds up this agent's conversations, not viva.

    One thread for all conversations, since a model's client belongs to one loop. If a turn is given up while the
    thread is blocked, the next one gets a new thread.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._answered = threading.Event()

    async def run(self, work: Coroutine[None, None, T]) -> T:
        """What the coroutine returns or raises. Cancelling returns at once."""
        here = asyncio.get_running_loop()
        there = self._living_loop()
        done: asyncio.Future[T] = here.create_future()
        started: list[asyncio.Task[T]] = []
        context = copy_context()

        def finished(task: "asyncio.Task[T]") -> None:
            with suppress(RuntimeError):  # the run is over, and nobody waits any more
                here.call_soon_threadsafe(_hand_over, task, done)

        def start() -> None:
            started.append(there.create_task(work, context=context))
            started[0].add_done_callback(finished)

        there.call_soon_threadsafe(start)
        try:
            return await done
        except asyncio.CancelledError:
            self._answered.clear()
            there.call_soon_threadsafe(lambda: [task.cancel() for task in started])
            there.call_soon_threadsafe(self._answered.set)
            raise

    def _living_loop(self) -> asyncio.AbstractEventLoop:
        if self._loop is None or not self._answered.is_set():
            self._answered = threading.Event()
            self._answered.set()
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=self._loop.run_forever, name="viva-own-loop", daemon=True).start()
        return self._loop


def _hand_over(task: "asyncio.Task[T]", done: "asyncio.Future[T]") -> None:
    if done.done():
        return
    if task.cancelled():
        done.set_exception(RuntimeError("the agent's run was cancelled"))
    elif (error := task.exception()) is not None:
        done.set_exception(error)
    else:
        done.set_result(task.result())
