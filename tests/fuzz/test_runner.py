"""Random runs: whatever agents, judges, simulators and Ctrl-C do, every case is told once and the counts add up."""

import asyncio
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.agents import FakeTarget
from tests.fakes.examining import FakeResources, ListSource, earlier_of
from tests.fuzz.effort import tries
from tests.fuzz.random_world import RandomAgent, World, worlds

from vivavoce.engine.attempt.attempt import Examination
from vivavoce.engine.attempt.outcome import NORMAL_ENDINGS
from vivavoce.engine.plan.plan import Plan, Selection, make_plan, runs_of
from vivavoce.engine.run import Run
from vivavoce.engine.wiring import RunSettings
from vivavoce.executors.local import LocalExecutor
from vivavoce.model.events import CaseFinished, CaseKept, Event, RunFinished, RunStarted
from vivavoce.model.result import Attempt, CaseResult, RunInfo, Status, Summary
from vivavoce.project.settings import Config
from vivavoce.results.journal import JsonlReporter
from vivavoce.results.result_file import read_result_file
from vivavoce.results.resume import Earlier


class Story:
    """One run as it was told."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.agent = RandomAgent(world.agent, world.closes_badly, world.opens_badly)
        self.judge = RandomAgent({case.id: world.judge for case in world.cases}, frozenset(), frozenset())
        self.simulator = RandomAgent({case.id: world.simulator for case in world.cases}, frozenset(), frozenset())
        self.events: list[Event] = []
        self.summary = Summary()

    @property
    def finished(self) -> list[CaseResult]:
        return [event.result for event in self.events if type(event) is CaseFinished]

    @property
    def kept(self) -> list[CaseResult]:
        return [event.result for event in self.events if isinstance(event, CaseKept)]


def plan_of(world: World) -> Plan:
    plan, problems = make_plan([ListSource(*world.cases)], Selection(), runs=world.runs)
    assert problems == []
    return plan


async def lived(world: World, journal: Path, earlier: Earlier | None = None, *, to_the_end: bool = False) -> Story:
    """Runs a world; what it leaves behind is looked at before the event loop goes."""
    story = Story(world)
    fakes: dict[str, FakeTarget] = {"fake": story.agent, "judge": story.judge, "sim": story.simulator}
    settings = RunSettings(agent="fake", judge_timeout_s=0.01)
    resources = FakeResources(fakes, settings, journal.parent, Config())
    plan = plan_of(world)
    info = RunInfo(run_id="r", started_at="2026-01-01T00:00:00Z", agent_id="fake", total_cases=plan.selected)
    reporter = JsonlReporter(journal)

    def emit(event: Event) -> None:
        story.events.append(event)
        reporter.handle(event)

    run = Run(
        plan,
        info,
        emit,
        max_failures=None if to_the_end else world.max_failures,
        early_stop=world.early_stop,
        earlier=earlier,
    )
    if world.stop_after_s is not None and not to_the_end:
        asyncio.get_running_loop().call_later(world.stop_after_s, run.stop, "ctrl-c")
    try:
        story.summary = await run.execute(LocalExecutor(world.parallel), Examination(resources, emit).attempt)
    finally:
        reporter.close()
        await resources.close()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert left == set(), "tasks were left behind"
    return story


def told_once(story: Story) -> None:
    assert isinstance(story.events[0], RunStarted)
    assert [event for event in story.events if isinstance(event, RunFinished)] == [story.events[-1]]
    told = Counter(result.case.id for result in (*story.kept, *story.finished))
    assert told.keys() <= {case.id for case in story.world.cases}
    assert set(told.values()) <= {1}, "a case was told twice"


def counts_add_up(story: Story) -> None:
    summary, results = story.summary, [*story.kept, *story.finished]
    by_status = Counter(result.status for result in results)
    assert summary.total == len(story.world.cases) == len(results)
    assert summary.not_run == by_status[Status.NOT_RUN]
    assert (summary.passed, summary.failed, summary.errors, summary.timeouts, summary.skipped) == tuple(
        by_status[status] for status in (Status.PASSED, Status.FAILED, Status.ERROR, Status.TIMEOUT, Status.SKIPPED)
    )
    nothing_ran = (Status.SKIPPED, Status.NOT_RUN)
    ran = [attempt for result in results for attempt in result.attempts if attempt.status not in nothing_ran]
    assert (summary.total_runs, summary.passed_runs) == (len(ran), sum(a.status is Status.PASSED for a in ran))
    if summary.interrupted is None:
        assert summary.not_run == 0, "a case was lost in silence"
    assert summary.interrupted in (None, "ctrl-c", "fail-fast")


def passes_are_earned(story: Story) -> None:
    for result in story.finished:
        runs = runs_of(result.case, story.world.runs)
        assert 1 <= len(result.attempts) <= runs
        assert [a.run for a in result.attempts] == sorted({a.run for a in result.attempts})
        passed = [attempt for attempt in result.attempts if attempt.status is Status.PASSED]
        if result.status is Status.PASSED:
            counted = [a for a in result.attempts if a.status is not Status.SKIPPED]
            assert len(passed) >= (result.case.min_pass or len(counted)) >= 1
        for attempt in passed:
            is_sound(attempt)
        for attempt in result.attempts:
            assert attempt.status in (Status.PASSED,) or attempt.error is not None, "no reason is given"


def is_sound(attempt: Attempt) -> None:
    assert not any(verdict.unsuccessful for verdict in attempt.all_verdicts())
    assert all(turn.error is None for turn in attempt.transcript.turns)
    assert all(point.reached_at_turn for point in attempt.checkpoints if point.required)
    assert attempt.transcript.ending is not None
    assert attempt.transcript.ending.reason in NORMAL_ENDINGS


def sessions_are_closed(story: Story) -> None:
    for target in (story.agent, story.judge, story.simulator):
        assert target.closed_sessions == target.opened


def holds(story: Story) -> None:
    told_once(story)
    counts_add_up(story)
    passes_are_earned(story)
    sessions_are_closed(story)


@tries(30)
@given(world=worlds())
def test_every_case_is_told_once_and_no_pass_is_unearned(world: World):
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "out.jsonl"
        story = asyncio.run(lived(world, journal))
        holds(story)
        back = read_result_file(journal)
        assert back.problems == ()
        assert [r.case.id for r in back.results()] == [r.case.id for r in story.finished]
        assert [r.status for r in back.results()] == [r.status for r in story.finished]


@tries(30)
@given(world=worlds(), torn=st.floats(0, 1), is_torn=st.booleans())
def test_a_resumed_run_tells_every_case_once(world: World, torn: float, is_torn: bool):
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / "first.jsonl", Path(folder) / "second.jsonl"
        asyncio.run(lived(world, first))
        if is_torn:
            data = first.read_bytes()
            first.write_bytes(data[: int(len(data) * torn)])
        earlier = earlier_of(first, plan_of(world), early_stop=world.early_stop)
        story: Any = asyncio.run(lived(world, second, earlier, to_the_end=True))
        holds(story)
        kept = {result.case.id for result in story.kept}
        assert kept.isdisjoint(story.agent.examined), "what had its result was examined again"
        assert {result.case.id for result in story.finished} == {case.id for case in world.cases} - kept
        assert (story.summary.not_run, story.summary.interrupted) == (0, None)
