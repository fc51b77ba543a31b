"""How `vivavoce.run` and `arun` may be called: the declared options as keywords, typed for editors."""

import inspect
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from vivavoce.api.arguments import checked_argument
from vivavoce.app.flag_words import reworded
from vivavoce.app.request import RunRequest
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.case import Case
from vivavoce.model.events import Event
from vivavoce.model.json_value import is_object
from vivavoce.project.run_options import (
    AgentOptions,
    ConversationOptions,
    ExecutionOptions,
    HistoryOptions,
    OutputOptions,
    ProjectOptions,
    SelectionOptions,
    TapeOptions,
)
from vivavoce.sources.input_ref import classify
from vivavoce.wording.quoting import shorten

CaseInput = str | Path | dict[str, Any] | Case
"""A path, folder, glob or message as `-i` takes it; a case as a file writes it; a Case."""


class RunKeywords(
    AgentOptions,
    SelectionOptions,
    ExecutionOptions,
    ConversationOptions,
    TapeOptions,
    OutputOptions,
    HistoryOptions,
    ProjectOptions,
    kw_only=False,
):
    """The parameters of `run` and `arun`. Never made: type checkers and `inspect` read it."""

    cases: CaseInput | Iterable[CaseInput] | None = None
    on_event: Callable[[Event], None] | None = None
    keep_results: bool = True


_FLAGS = {
    **{flag: f"{one.name}=" for one in RunKeywords.declared for flag in one.flags},
    "--message sends a text": 'a message of one word is a case: {"id": "one", "input": "…"}',
    "-n AGENT": "agent=…",
    "-i": "cases",
}
"""The flags that hints name, as a call of `run` says them."""


def in_python(problem: VivaError) -> VivaError:
    """The problem as somebody who calls `run` reads it: keywords instead of flags."""
    return reworded(problem, _FLAGS) if isinstance(problem, UsageError) else problem


_OWN = ("cases", "on_event", "keep_results")


def signature() -> inspect.Signature:
    """The signature that people and editors are shown."""
    cases, *own = (inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=getattr(RunKeywords, n)) for n in _OWN)
    options = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default) for one in RunKeywords.declared
    ]
    first = cases.replace(kind=inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return inspect.Signature([first, *options, *own], return_annotation="Report")


class Call(Struct, frozen=True):
    """One call of `run`, taken apart."""

    request: RunRequest
    on_event: Callable[[Event], None] | None
    keep_results: bool


def called_with(function: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> Call:
    """A call as a request. Raises TypeError as Python would, and UsageError when a value is wrong."""
    try:
        given = dict(signature().bind(*args, **keywords).arguments)
    except TypeError as mismatch:
        raise TypeError(f"{function}() {mismatch}") from None
    inputs, cases = _named_and_written(given.pop("cases", None))
    on_event = checked_argument("on_event", given.pop("on_event", None), "function", optional=True)
    keep_results = checked_argument("keep_results", given.pop("keep_results", True), "switch")
    # A program has nobody who reads a warning: one bad generated case is an error.
    request = RunRequest.of({"strict": True, **given}, os.environ, inputs=inputs, cases=cases)
    return Call(request, on_event, keep_results)


def _named_and_written(
    cases: CaseInput | Iterable[CaseInput] | None,
) -> tuple[tuple[str, ...], tuple[Case | dict[str, Any], ...]]:
    """What `-i` would name, and the cases that were handed over."""
    if cases is None:
        return (), ()
    whole: Any = cases
    is_list = isinstance(whole, Iterable) and not isinstance(whole, str | bytes | dict | Case)
    given: list[Any] = [*whole] if is_list else [whole]
    if not given:
        raise UsageError("no cases were given", hint="leave cases out to run the project's own tests")
    named: list[str] = []
    written: list[Case | dict[str, Any]] = []
    for one in given:
        if isinstance(one, Path) and classify(str(one)).type != "file":
            raise UsageError(f"no such file: {one}")
        if isinstance(one, str | Path):
            named.append(str(one))
        elif isinstance(one, Case) or is_object(one):
            written.append(one)
        else:
            raise UsageError(
                f"not a case: {shorten(repr(one), 80)}", hint="give paths, messages, dicts as in JSONL, or Cases"
            )
    return tuple(named), tuple(written)
