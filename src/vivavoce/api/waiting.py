"""Async functions of the API and their twins for programs without an event loop."""

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from vivavoce.api.arguments import checked_arguments
from vivavoce.api.keywords import in_python
from vivavoce.containment.running_loop import loop_is_running
from vivavoce.errors import UsageError, VivaError

P = ParamSpec("P")
T = TypeVar("T")


def for_people(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """The same function, whose arguments are checked by their types, and whose errors for people are raised where they
    called it and name keywords, not flags.
    """

    @wraps(work)
    async def called(*args: P.args, **keywords: P.kwargs) -> T:
        __tracebackhide__ = True
        try:
            given = _checked(work, args, keywords)
            return await work(*given.args, **given.kwargs)
        except VivaError as problem:
            raise in_python(problem).with_traceback(None) from None

    return called


def _checked(work: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> inspect.BoundArguments:
    """The arguments as they are handed on. Raises TypeError as Python would, and UsageError for a wrong value."""
    try:
        given = inspect.signature(work).bind(*args, **keywords)
    except TypeError as mismatch:
        raise TypeError(f"{work.__name__}() {mismatch}") from None
    given.arguments = checked_arguments(work, given.arguments)
    return given


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
