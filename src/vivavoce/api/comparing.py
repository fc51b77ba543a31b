"""`vivavoce.compare` and `acompare`: the whole of `viva compare`, from Python."""

from collections.abc import Iterable, Sequence
from typing import Any

from vivavoce.api.keywords import Call, CaseInput, called_with
from vivavoce.api.report import Report
from vivavoce.api.running import KeptResults, OnEvent
from vivavoce.api.waiting import for_people, waits_for
from vivavoce.app.examine import examine
from vivavoce.app.listening import Listener, RunAhead
from vivavoce.errors import UsageError
from vivavoce.model.events import CaseFinished, Event
from vivavoce.project.option import texts_of
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


@for_people
async def acompare(
    cases: CaseInput | Iterable[CaseInput] | None = None,
    *,
    agents: Iterable[object],
    connectors: str | Sequence[str] = (),
    **options: Any,
) -> ComparisonReport:
    """Runs the same cases against every agent over every connector; an agent that takes no connector once.

    Agents are references as `-n` takes them, or live functions and objects. The other options are those of `arun`.
    Raises UsageError before the first call when anything is wrong.
    """
    __tracebackhide__ = True
    if unknown := FOR_ONE_AGENT & set(options):
        raise TypeError(f"acompare() got an unexpected keyword argument {min(unknown)!r}")
    call = called_with("acompare", (cases,), options)
    named, over = tuple(agents), texts_of(connectors)
    if not named:
        raise UsageError("no agents were given", hint="agents=[…] takes at least two, or one with several connectors=")
    # VIVA_AGENT and VIVA_CONNECTOR are about one agent.
    request = call.request.replaced(agents=named, connectors=over, agent=None, connector=None)
    return await _compared(Call(request, call.on_event, call.keep_results))


compare = waits_for(acompare, "compare")


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
