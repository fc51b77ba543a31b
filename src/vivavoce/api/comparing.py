"""`vivavoce.compare` and `acompare`: the whole of `viva compare`, from Python."""

import asyncio
from collections.abc import Iterable
from typing import Any

from vivavoce.api.keywords import Call, CaseInput, called_with, in_python
from vivavoce.api.report import Report
from vivavoce.api.running import KeptResults, OnEvent
from vivavoce.app.examine import examine
from vivavoce.app.listening import Listener, RunAhead
from vivavoce.containment.running_loop import loop_is_running
from vivavoce.errors import UsageError, VivaError
from vivavoce.model.events import CaseFinished, Event
from vivavoce.project.selecting_options import FOR_ONE_AGENT
from vivavoce.results.contest.contest import Contest, MatrixRow
from vivavoce.results.contest.differences import Difference
from vivavoce.results.contest.standing import Standing


class ComparisonReport(Report, frozen=True, kw_only=True):
    """A finished comparison: a Report whose results have the label of their agent as `case.agent`."""

    contest: Contest

    @property
    def standings(self) -> tuple[Standing, ...]:
        """How each agent did: pass rate with its interval, pass^k, latency, tokens, cost."""
        return self.contest.standings

    @property
    def differences(self) -> tuple[Difference, ...]:
        """Every two agents in every respect; `real` where chance does not explain the difference."""
        return self.contest.differences

    @property
    def matrix(self) -> tuple[MatrixRow, ...]:
        """Each case with what became of it with each agent."""
        return tuple(self.contest.rows())


async def acompare(
    cases: CaseInput | Iterable[CaseInput] | None = None,
    *,
    agents: Iterable[object],
    connectors: Iterable[str] = (),
    **options: Any,
) -> ComparisonReport:
    """Runs the same cases against every agent over every connector; an agent that takes no connector once.

    Agents are references as `-n` takes them, or live functions and objects. The other options are those of `arun`.
    Raises UsageError before the first call when anything is wrong.
    """
    __tracebackhide__ = True
    try:
        return await _compared(_call("acompare", cases, agents, connectors, options))
    except VivaError as problem:
        raise in_python(problem).with_traceback(None) from None


def compare(
    cases: CaseInput | Iterable[CaseInput] | None = None,
    *,
    agents: Iterable[object],
    connectors: Iterable[str] = (),
    **options: Any,
) -> ComparisonReport:
    """The same as `acompare`, for programs without an event loop: waits for the report."""
    __tracebackhide__ = True
    if loop_is_running():
        hint = "await vivavoce.acompare instead"
        raise UsageError("vivavoce.compare cannot wait inside a running event loop", hint=hint)
    try:
        return asyncio.run(_compared(_call("compare", cases, agents, connectors, options)))
    except VivaError as problem:
        raise in_python(problem).with_traceback(None) from None


def _call(
    function: str,
    cases: CaseInput | Iterable[CaseInput] | None,
    agents: Iterable[object],
    connectors: Iterable[str],
    options: dict[str, Any],
) -> Call:
    if unknown := FOR_ONE_AGENT & set(options):
        raise TypeError(f"{function}() got an unexpected keyword argument {min(unknown)!r}")
    call = called_with(function, (cases,), options)
    named: tuple[object, ...] = (agents,) if isinstance(agents, str) else tuple(agents)
    over = (connectors,) if isinstance(connectors, str) else tuple(connectors)
    if not named:
        raise UsageError("no agents were given", hint="agents=[…] takes at least two, or one with several connectors=")
    # VIVA_AGENT and VIVA_CONNECTOR are about one agent.
    request = call.request.replaced(agents=named, connectors=over, agent=None, connector=None)
    return Call(request, call.on_event, call.keep_results)


async def _compared(call: Call) -> ComparisonReport:
    results, counted = KeptResults(), _Counted()
    listeners: list[Listener] = [counted, *([results] if call.keep_results else [])]
    if call.on_event is not None:
        listeners.append(OnEvent(call.on_event))
    outcome = await examine(call.request, listeners)
    assert counted.contest is not None
    return ComparisonReport(
        info=outcome.info,
        summary=outcome.summary,
        kept=results.in_order() if call.keep_results else None,
        allow_not_run=call.request.allow_not_run or False,
        contest=counted.contest,
    )


class _Counted(Listener):
    """Counts the results of each agent."""

    def __init__(self) -> None:
        self.contest: Contest | None = None

    def starting(self, run: RunAhead) -> None:
        self.contest = Contest(run.info)

    def handle(self, event: Event) -> None:
        if isinstance(event, CaseFinished) and self.contest is not None:
            self.contest.add(event.result)
