"""A test's way back to the run: it lives in a thread of its own, agents and judges live in the event loop."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from contextvars import ContextVar
from typing import Any, TypeVar

from msgspec import Struct

from vivavoce.containment.running_loop import loop_is_running
from vivavoce.errors import CallFailed
from vivavoce.model.case import Identity
from vivavoce.model.json_value import JsonValue
from vivavoce.protocols import Helpers

T = TypeVar("T")


class CallTerms(Struct, frozen=True, kw_only=True):
    """Through whom a test calls agents, and on whose behalf unless it says otherwise."""

    helpers: Helpers
    case_id: str = ""
    identity: Identity = Identity()
    connector: str | None = None
    """The `-c` flag."""


class Engine:
    """Carries calls from the test's thread to the event loop, until the test is over."""

    def __init__(self, terms: CallTerms) -> None:
        self.terms = terms
        self._loop = asyncio.get_running_loop()
        self._under_way: set[Future[Any]] = set()
        self._over = False

    def start(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Begins the work in the event loop; the caller's thread may wait for it."""
        if self._over:
            work.close()
            raise CallFailed("the test is over: nothing more can be called", fault="test")
        started = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._under_way.add(started)
        started.add_done_callback(self._under_way.discard)
        return started

    def close(self) -> None:
        """Ends what is still under way; a test that was cut off can start nothing new."""
        self._over = True
        for started in list(self._under_way):
            started.cancel()


_current: ContextVar[Engine | None] = ContextVar("viva_script_test_engine", default=None)


def current_engine() -> Engine:
    """The engine of the test that is running here."""
    engine = _current.get()
    if engine is None:
        raise CallFailed(
            "this can only be called while a script test runs",
            fault="test",
            hint="viva test -i scripts.AGENT.MODULE runs them",
        )
    return engine


def use_engine(engine: Engine) -> None:
    """From here on, in this context, tests reach the run through this engine."""
    _current.set(engine)


def waited_for(started: "Future[T]") -> JsonValue:
    """The result; inside an async test something to await, because blocking would stop the test's own loop."""
    return asyncio.wrap_future(started) if loop_is_running() else started.result()
