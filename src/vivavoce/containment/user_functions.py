"""Calling a user's function: only the arguments it takes, off the event loop when it blocks."""

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from typing import Any

from vivavoce.containment.daemon_threads import in_daemon_thread
from vivavoce.containment.forked_child import leave_if_forked
from vivavoce.containment.taken_python import put_back_what_was_taken

CONTEXT_NAMES = ("ctx", "context")


class UserFunction:
    """A user's callable and how it wants to be called; looked at once, called often."""

    __slots__ = ("_blocking", "_context_at", "_context_name", "_function", "parameters", "takes")

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._blocking = not _is_async(function)
        positional, self.takes, self._context_name = _signature(function)
        names = [parameter.name for parameter in positional]
        self._context_at = names.index(self._context_name) if self._context_name in names else None
        self.parameters = [parameter for parameter in positional if parameter.name != self._context_name]
        """The positional ones, the context left out."""

    @property
    def takes_context(self) -> bool:
        """Whether it has a place for the context by its name."""
        return self._context_name is not None

    def __call__(self, *args: Any, ctx: Any = None) -> Any:
        """What the function itself returns: a value, a coroutine, a generator."""
        try:
            return self._called(args, ctx)
        finally:
            leave_if_forked()
            put_back_what_was_taken()

    def _called(self, args: tuple[Any, ...], ctx: Any) -> Any:
        if self.takes is not None:
            args = args[: self.takes]
        if self._context_name is None:
            return self._function(*args)
        if self._context_at is not None and self._context_at <= len(args):
            return self._function(*args[: self._context_at], ctx, *args[self._context_at :])
        return self._function(*args, **{self._context_name: ctx})

    async def call(self, *args: Any, ctx: Any = None) -> Any:
        """Its result. A blocking function runs in its own thread, which is abandoned on cancelling."""
        try:
            if self._blocking:
                result = await in_daemon_thread(lambda: self(*args, ctx=ctx))
            else:
                # None of its code runs before it is awaited.
                result = self._called(args, ctx)
            return await result if inspect.isawaitable(result) else result
        except SystemExit as leaving:
            # It would end the event loop, and with it every other case.
            told = RuntimeError(f"sys.exit({leaving.code!r}) was called")
            raise told.with_traceback(leaving.__traceback__) from None
        finally:
            leave_if_forked()
            put_back_what_was_taken()


async def call_user_function(function: Callable[..., Any], *args: Any, ctx: Any = None) -> Any:
    """Calls a user's function with as many of the arguments as it takes, and `ctx` when it has a place for it."""
    return await UserFunction(function).call(*args, ctx=ctx)


async def collect(stream: AsyncIterator[Any] | Iterator[Any], into: list[Any]) -> None:
    """Adds everything a generator yields as it comes; a blocking one is drained in a thread."""
    if inspect.isasyncgen(stream):
        async with aclosing(stream) as items:
            async for item in items:
                into.append(item)
    elif isinstance(stream, AsyncIterator):
        async for item in stream:
            into.append(item)
    else:
        await in_daemon_thread(lambda: into.extend(stream))


async def all_of(stream: AsyncIterator[Any] | Iterator[Any]) -> list[Any]:
    """Everything a generator yields."""
    items: list[Any] = []
    await collect(stream, items)
    return items


def _signature(function: Callable[..., Any]) -> tuple[list[inspect.Parameter], int | None, str | None]:
    """Its positional parameters, how many arguments besides the context it takes (None: any), the context's name."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [], None, None  # some builtins do not tell
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    keyword_only = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
    context = next((p.name for p in (*positional, *keyword_only) if p.name in CONTEXT_NAMES), None)
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return positional, None, context
    return positional, sum(p.name != context for p in positional), context


def _is_async(function: Callable[..., Any]) -> bool:
    call = getattr(function, "__call__", function)  # noqa: B004 - an object's own method, not whether there is one
    return any(
        test(candidate)
        for candidate in (function, call)
        for test in (inspect.iscoroutinefunction, inspect.isasyncgenfunction)
    )
