"""`vivavoce.run` and `vivavoce.arun`: the whole of `viva test`, from Python."""

import asyncio
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from vivavoce.api.keywords import Call, RunKeywords, called_with, in_python, signature
from vivavoce.api.report import Report
from vivavoce.app.examine import examine
from vivavoce.app.listening import Listener
from vivavoce.containment.running_loop import loop_is_running
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.events import CaseFinished, Event
from vivavoce.model.result import CaseResult

P = ParamSpec("P")
T = TypeVar("T")


async def _arun(*args: Any, **keywords: Any) -> Report:
    """Runs cases against an agent: a reference as `-n` takes it, or a live function or object.

    What is left out is as the VIVA_ variables and the project's viva.yaml say. Raises UsageError before the first call
    when anything is wrong.
    """
    __tracebackhide__ = True
    try:
        return await _reported(called_with("arun", args, keywords))
    except VivaError as problem:
        # An error for people is raised where they called, without its way through the engine.
        raise in_python(problem).with_traceback(None) from None


def _run(*args: Any, **keywords: Any) -> Report:
    """The same as `arun`, for programs without an event loop: waits for the report."""
    __tracebackhide__ = True
    if loop_is_running():
        raise UsageError("vivavoce.run cannot wait inside a running event loop", hint="await vivavoce.arun instead")
    try:
        return asyncio.run(_reported(called_with("run", args, keywords)))
    except VivaError as problem:
        raise in_python(problem).with_traceback(None) from None


def _typed(_keywords: Callable[P, RunKeywords], work: Callable[..., T], name: str) -> Callable[P, T]:
    """The same function with the signature that is made from the declared options."""
    shown: Any = work
    shown.__name__ = shown.__qualname__ = name
    shown.__signature__ = signature()
    return work


arun = _typed(RunKeywords, _arun, "arun")
run = _typed(RunKeywords, _run, "run")


async def _reported(call: Call) -> Report:
    results = KeptResults()
    listeners: list[Listener] = [results] if call.keep_results else []
    if call.on_event is not None:
        listeners.append(OnEvent(call.on_event))
    outcome = await examine(call.request, listeners)
    return Report(
        info=outcome.info,
        summary=outcome.summary,
        kept=results.in_order() if call.keep_results else None,
        allow_not_run=call.request.allow_not_run or False,
    )


class KeptResults(Listener):
    """Keeps every result."""

    def __init__(self) -> None:
        self._kept: list[CaseResult] = []

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished):
            self._kept.append(event.result)

    def in_order(self) -> tuple[CaseResult, ...]:
        return tuple(sorted(self._kept, key=lambda result: result.index))


class OnEvent(Listener):
    """Tells a program's function of every event."""

    wants_every_step = True

    def __init__(self, on_event: Callable[[Event], None]) -> None:
        self._on_event = on_event

    def handle(self, event: Event) -> None:
        self._on_event(event)
