"""Async functions of the API and their twins for programs without an event loop."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from vivavoce.api.keywords import in_python
from vivavoce.containment.running_loop import loop_is_running
from vivavoce.errors import UsageError, VivaError

P = ParamSpec("P")
T = TypeVar("T")


def for_people(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """The same function, whose errors for people are raised where they called it and name keywords, not flags."""

    @wraps(work)
    async def called(*args: P.args, **keywords: P.kwargs) -> T:
        __tracebackhide__ = True
        try:
            return await work(*args, **keywords)
        except VivaError as problem:
            raise in_python(problem).with_traceback(None) from None

    return called


def waits_for(work: Callable[P, Coroutine[Any, Any, T]], name: str) -> Callable[P, T]:
    """The function `name` that waits for what `work` returns. It refuses to block a running event loop."""

    @wraps(work)
    def called(*args: P.args, **keywords: P.kwargs) -> T:
        __tracebackhide__ = True
        if loop_is_running():
            hint = f"await vivavoce.a{name} instead"
            raise UsageError(f"vivavoce.{name} cannot wait inside a running event loop", hint=hint)
        return asyncio.run(work(*args, **keywords))

    called.__name__ = called.__qualname__ = name
    called.__doc__ = f"The same as `a{name}`, for programs without an event loop: waits for what it returns."
    return called
