"""The engine with fake agents in it: one case, once, or a whole run."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.fakes.agents import FakeTarget

from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.plan.plan import Plan, Selection, make_plan, runs_of
from vivavoce.engine.repeats import is_final
from vivavoce.engine.run import Run
from vivavoce.engine.wiring import RunResources, RunSettings
from vivavoce.executors.local import LocalExecutor
from vivavoce.model.case import Case, Origin
from vivavoce.model.events import CaseFinished, Event
from vivavoce.model.result import Attempt, CaseResult, RunInfo, Summary
from vivavoce.project.project import Project
from vivavoce.project.settings import Config
from vivavoce.protocols import Job
from vivavoce.results.resume import Earlier, read_earlier
from vivavoce.sources.decoding.case_decoder import decode_case


def case_of(**fields: Any) -> Case:
    """A case written as in a file."""
    return decode_case({"id": "T", **fields}, Origin("cases.jsonl", 1))


class FakeResources(RunResources):
    """Finds the given agents by name instead of building targets."""

    def __init__(self, agents: Mapping[str, FakeTarget], settings: RunSettings, root: Path, config: Config) -> None:
        super().__init__(Project(root=root, config=config), settings)
        self._fakes = agents

    def target(self, name: str) -> Any:
        name = name.removeprefix("agents:")
        return self._fakes[name] if name in self._fakes else super().target(name)


async def attempt_once(
    case: Case,
    agent: FakeTarget,
    *,
    simulator: FakeTarget | None = None,
    settings: RunSettings | None = None,
    root: Path = Path("/nowhere"),
    config: Config | None = None,
    events: list[Event] | None = None,
) -> Attempt:
    """One case against a fake agent; `simulator` answers as `sim`."""
    from msgspec import structs

    agents = {"fake": agent, **({"sim": simulator} if simulator else {})}
    chosen = structs.replace(settings or RunSettings(), agent="fake")
    resources = FakeResources(agents, chosen, root, config or Config())
    told: list[Event] = [] if events is None else events
    try:
        return await Examination(resources, told.append, live=True).attempt(Job(case=case, index=1))
    finally:
        await resources.close()


class ListSource:
    """Cases from a list, at the Source socket."""

    def __init__(self, *cases: Any) -> None:
        self._cases = cases
        self.label = "list"

    def read(self) -> Any:
        return iter(self._cases)


async def run_all(
    cases: Sequence[Case],
    agent: FakeTarget,
    *,
    parallel: int = 4,
    runs: int = 1,
    max_failures: int | None = None,
    on_event: Any = None,
    settings: RunSettings | None = None,
    **more: Any,
) -> tuple[Summary, list[CaseResult]]:
    """A whole run; the results in the order they finished. What else is given goes to Run."""
    from msgspec import structs

    chosen = structs.replace(settings or RunSettings(), agent="fake")
    resources = FakeResources({"fake": agent}, chosen, Path("/nowhere"), Config())
    plan, problems = make_plan([ListSource(*cases)], Selection(), runs=runs)
    assert problems == []
    results: list[CaseResult] = []
    info = RunInfo(run_id="r", started_at="2026-01-01T00:00:00Z", agent_id="fake", total_cases=plan.selected)

    def emit(event: Event) -> None:
        if isinstance(event, CaseFinished):
            results.append(event.result)
        if on_event is not None:
            on_event(run, event)

    run = Run(plan, info, emit, max_failures=max_failures, snapshots=resources.snapshots, **more)
    try:
        summary = await run.execute(LocalExecutor(parallel), Examination(resources, emit).attempt)
    finally:
        await resources.close()
    return summary, results


def earlier_of(path: Path, plan: Plan, *, early_stop: bool = False) -> Earlier:
    """What `--resume` would keep of a result file."""
    return read_earlier(
        path,
        ((case, runs_of(case, plan.runs)) for case in plan.cases()),
        is_final=lambda case, runs, ended: is_final(case, runs, ended, early_stop=early_stop),
    )
