"""`vivavoce.run` and `vivavoce.arun`: the whole of `viva test`, from Python."""

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import wraps
from math import inf
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from vivavoce.api.report import Report
from vivavoce.app.outputs import Outputs
from vivavoce.app.wishes import Execution, Wishes, open_project, require_cases, run_info, sources_of
from vivavoce.containment.captured_output import capture_user_output
from vivavoce.containment.loop_watch import LoopWatch
from vivavoce.containment.running_loop import loop_is_running
from vivavoce.containment.working_folder import kept_working_folder
from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.attempt.identity import IdentityFlags, RunContext, context_of, read_context
from vivavoce.engine.plan.case_checks import CaseChecks
from vivavoce.engine.plan.generating import GENERATORS, fill_generated
from vivavoce.engine.plan.plan import Plan, Selection, make_plan, parse_shard
from vivavoce.engine.run import Run
from vivavoce.engine.wiring import Workshop, live_name
from vivavoce.errors import ManyProblems, UsageError, VivaError
from vivavoce.executors.local import LocalExecutor
from vivavoce.model.case import Case, OnMissingInput
from vivavoce.model.events import CaseFinished, Event
from vivavoce.model.json_value import is_object
from vivavoce.model.result import CaseResult
from vivavoce.notation.durations import parse_duration
from vivavoce.project.project import Project
from vivavoce.protocols import Source
from vivavoce.sources.input_ref import classify
from vivavoce.sources.overwriting import refuse_losing_cases, refuse_overwriting
from vivavoce.sources.reading.given import GivenSource

P = ParamSpec("P")
T = TypeVar("T")

CaseInput = str | Path | dict[str, Any] | Case
"""A path, folder, glob or message as `-i` takes it; a case as a file writes it; a Case."""


def _in_plain_words(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """An error for people is raised where they called; how it came through the engine is nothing to them."""

    @wraps(work)
    async def plainly(*args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        try:
            return await work(*args, **kwargs)
        except VivaError as problem:
            raise problem.with_traceback(None) from None

    return plainly


@_in_plain_words
async def arun(
    cases: CaseInput | Iterable[CaseInput] | None = None,
    *,
    agent: Any = None,
    connector: str | None = None,
    user: str | None = None,
    team: str | None = None,
    locale: str | None = None,
    context: str | Path | dict[str, Any] | None = None,
    pattern: str | None = None,
    tags: Sequence[str] = (),
    shard: str | None = None,
    sample: int | None = None,
    seed: int = 0,
    parallel: int | None = None,
    runs: int | None = None,
    early_stop: bool | None = None,
    timeout: str | float | None = None,
    judge_timeout: str | float | None = None,
    fail_fast: bool | None = None,
    maxfail: int | None = None,
    retries: int | None = None,
    budget: str | None = None,
    simulator: str | None = None,
    on_missing_input: OnMissingInput | None = None,
    max_turns: int | None = None,
    strict_protocol: bool = False,
    outputs: str | Path | Sequence[str | Path] = (),
    on_event: Callable[[Event], None] | None = None,
    keep_results: bool = True,
    config: str | Path | None = None,
) -> Report:
    """Runs cases against an agent: a reference as `-n` takes it, or a live function or object.

    What is left out is as the project's viva.yaml says. Raises UsageError before the first call when anything is wrong.
    """
    _require_at_least(1, parallel=parallel, runs=runs, sample=sample, max_turns=max_turns, maxfail=maxfail)
    _require_at_least(0, retries=retries)
    project = open_project(None if config is None else str(config))
    wishes = Wishes(
        agent=agent if agent is None or isinstance(agent, str) else live_name(agent),
        connector=connector,
        identity=IdentityFlags(user, team, locale),
        context=_context(context),
        timeout_s=_seconds("timeout", timeout),
        judge_timeout_s=_seconds("judge_timeout", judge_timeout),
        max_turns=max_turns,
        simulator=simulator,
        on_missing_input=on_missing_input,
        strict_protocol=strict_protocol,
        parallel=parallel,
        runs=runs,
        fail_fast=fail_fast,
        max_failures=maxfail,
        early_stop=early_stop,
        retries=retries,
        budget=budget,
    )
    workshop = Workshop(project, wishes.settings(project.config.run))
    if wishes.agent is not agent:
        workshop.adopt(agent)
    execution = wishes.execution(project.config.run)
    selection = Selection(
        pattern=pattern, tags=_listed(tags), shard=parse_shard(shard) if shard else None, sample=sample, seed=seed
    )
    try:
        plan = await _planned(_sources(cases, project), selection, workshop, execution)
        files = [str(path) for path in _listed(outputs)]
        refuse_overwriting(files, plan.sources)
        refuse_losing_cases(files)
        written = Outputs(project, files, default=None)
        try:
            return await _report(plan, workshop, execution, written, on_event, keep_results=keep_results)
        finally:
            written.close()
    finally:
        await workshop.close()


def _waited_for(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    signature = inspect.signature(work)

    @wraps(work)
    def waiting(*args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        if loop_is_running():
            raise UsageError("vivavoce.run cannot wait inside a running event loop", hint="await vivavoce.arun instead")
        try:
            signature.bind(*args, **kwargs)
        except TypeError as mismatch:
            raise TypeError(f"{waiting.__name__}() {mismatch}") from None
        try:
            return asyncio.run(work(*args, **kwargs))
        except VivaError as problem:
            raise problem.with_traceback(None) from None

    waiting.__name__ = waiting.__qualname__ = work.__name__.removeprefix("a")
    return waiting


run = _waited_for(arun)
"""The same for programs without an event loop: waits for the report."""


async def _planned(sources: list[Source], selection: Selection, workshop: Workshop, execution: Execution) -> Plan:
    await fill_generated(sources, workshop, strict=True)
    plan, problems = make_plan(sources, selection, runs=execution.runs, check=CaseChecks(workshop))
    if problems:
        raise ManyProblems([_as_python_says(problem) for problem in problems])
    require_cases(plan)
    return plan


def _as_python_says(problem: UsageError) -> UsageError:
    return UsageError(problem.what, at="agent", hint=problem.hint) if problem.at == "-n" else problem


async def _report(
    plan: Plan,
    workshop: Workshop,
    execution: Execution,
    outputs: Outputs,
    on_event: Callable[[Event], None] | None,
    *,
    keep_results: bool,
) -> Report:
    kept: list[CaseResult] = []
    info = run_info(plan, workshop, execution)

    def emit(event: Event) -> None:
        outputs.handle(event)
        if keep_results and isinstance(event, CaseFinished):
            kept.append(event.result)
        if on_event is not None:
            on_event(event)

    examination = Examination(workshop, emit, live=on_event is not None)
    one_run = Run(
        plan,
        info,
        emit,
        max_failures=execution.max_failures,
        early_stop=execution.early_stop,
        spending=execution.spending(workshop.expenses.usage),
    )
    with kept_working_folder(), capture_user_output(), LoopWatch(workshop.settings.judge_timeout_s):
        summary = await one_run.execute(LocalExecutor(execution.parallel), examination.attempt)
    outputs.close()
    outputs.write_documents(info, summary)
    outputs.remove_scratch()
    if outputs.trouble is not None:
        raise outputs.trouble
    in_order = tuple(sorted(kept, key=lambda result: result.index))
    return Report(info=info, summary=summary, kept=in_order if keep_results else None)


def _sources(cases: CaseInput | Iterable[CaseInput] | None, project: Project) -> list[Source]:
    """Files and messages first, then the cases that were handed over; nothing at all: the project's own tests."""
    if cases is None:
        return sources_of(project, (), generators=GENERATORS)
    given: list[Any] = [cases] if isinstance(cases, str | Path | dict | Case) else list(cases)
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
            raise UsageError(f"not a case: {one!r:.80}", hint="give paths, messages, dicts as in JSONL, or Cases")
    sources = sources_of(project, named, generators=GENERATORS) if named else []
    return [*sources, GivenSource(written)] if written else sources


def _require_at_least(least: int, **numbers: int | None) -> None:
    for name, number in numbers.items():
        if number is not None and number < least:
            raise UsageError(f"{name} must be at least {least}, not {number}")


def _context(given: str | Path | dict[str, Any] | None) -> RunContext:
    if given is None:
        return RunContext()
    return context_of(given) if isinstance(given, dict) else read_context(str(given))


def _listed(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, str | Path) else tuple(value)


def _seconds(name: str, duration: str | float | None) -> float | None:
    if duration is None:
        return None
    try:
        seconds = parse_duration(duration) if isinstance(duration, str) else float(duration)
    except ValueError as error:
        raise UsageError(str(error), at=name) from None
    if not 0 < seconds < inf:
        raise UsageError(f"bad duration {duration!r}: it must be longer than zero, and end", at=name)
    return seconds
