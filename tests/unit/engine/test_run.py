"""A whole run: order, failing fast, stopping, repeating, counting."""

import asyncio
import time

from hypothesis import example, given
from hypothesis import strategies as st
from tests.fakes.agents import FakeTarget, agent_raises
from tests.fakes.examining import case_of, run_all

from vivavoce.engine.run import result_of
from vivavoce.model.case import Case
from vivavoce.model.events import CaseFinished
from vivavoce.model.result import Attempt, Status
from vivavoce.model.tally import Tally
from vivavoce.protocols import Job


def cases(count: int, **fields: object) -> list[Case]:
    return [case_of(**{"id": f"T{n}", "input": f"line {n}", **fields}) for n in range(count)]


async def test_every_case_is_told_once_and_the_counts_add_up():
    mixed = [*cases(5), case_of(id="skipped", input="x", skip="not now")]
    summary, results = await run_all(mixed, FakeTarget(["fine"]))
    assert sorted(r.case.id for r in results) == ["T0", "T1", "T2", "T3", "T4", "skipped"]
    assert (summary.total, summary.passed, summary.skipped, summary.not_run) == (6, 5, 1, 0)


async def test_whoever_looks_at_the_tally_sees_the_run_grow_and_not_the_time_before_it():
    tally = Tally(3)
    await asyncio.sleep(0.05)
    seen: list[int] = []

    def look(run, event):  # type: ignore[no-untyped-def]
        seen.append(tally.summary().passed)

    began = time.monotonic()
    summary, _ = await run_all(cases(3), FakeTarget(["fine"]), on_event=look, tally=tally)
    assert seen == [0, 1, 2, 3, 3]
    assert summary.duration_ms <= (time.monotonic() - began) * 1000


async def test_fail_fast_cancels_what_runs_and_keeps_what_finished():
    class OneBad(FakeTarget):
        async def open(self, context):  # type: ignore[no-untyped-def]
            self.says = (
                [agent_raises("boom")] if context.case_id == "T1" else ["ok"] if context.case_id == "T0" else [30.0]
            )
            return await super().open(context)

    began = asyncio.get_running_loop().time()
    summary, results = await run_all(cases(50), OneBad(), parallel=8, max_failures=1)
    assert asyncio.get_running_loop().time() - began < 10
    assert {r.case.id: r.status for r in results if r.status is not Status.NOT_RUN} == {
        "T0": Status.PASSED,
        "T1": Status.ERROR,
    }
    assert (summary.interrupted, summary.not_run, summary.total) == ("fail-fast", 48, 50)


async def test_maxfail_counts_cases():
    summary, results = await run_all(cases(20), FakeTarget([agent_raises("x")]), parallel=1, max_failures=3)
    assert (len(results), summary.errors, summary.not_run) == (20, 3, 17)


async def test_stopping_from_outside_keeps_results():
    def stop_after_three(run, event):  # type: ignore[no-untyped-def]
        if isinstance(event, CaseFinished) and event.result.case.id == "T2":
            run.stop("ctrl-c")

    summary, results = await run_all(cases(20), FakeTarget(), parallel=1, on_event=stop_after_three)
    assert len(results) >= 3
    assert summary.interrupted == "ctrl-c"
    assert summary.not_run == 20 - len(results)


async def test_runs_of_a_case_become_one_result_with_stability():
    summary, results = await run_all(cases(3), FakeTarget(["same"]), runs=4, parallel=8)
    assert [len(r.attempts) for r in results] == [4, 4, 4]
    assert all([a.run for a in r.attempts] == [1, 2, 3, 4] for r in results)
    assert all(r.stability is not None and r.stability.consistency == 1.0 for r in results)
    assert summary.total_runs == 12


async def test_min_pass_decides_a_repeated_case():
    class EveryOther(FakeTarget):
        async def open(self, context):  # type: ignore[no-untyped-def]
            self.says = ["good" if len(self.contexts) % 2 else "bad"]
            return await super().open(context)

    check = {"assert": {"type": "contains", "value": "good"}}
    _, lenient = await run_all(cases(1, runs=4, min_pass=2, **check), EveryOther(), parallel=1)
    _, strict = await run_all(cases(1, runs=4, **check), EveryOther(), parallel=1)
    assert lenient[0].status is Status.PASSED
    assert strict[0].status is Status.FAILED


ENDINGS = [Status.PASSED, Status.FAILED, Status.TIMEOUT, Status.ERROR, Status.SKIPPED]


@given(st.lists(st.sampled_from(ENDINGS), min_size=1, max_size=6), st.none() | st.integers(1, 8))
@example([Status.PASSED, Status.SKIPPED], None)
@example([Status.PASSED, Status.SKIPPED], 2)
def test_a_case_passes_only_with_as_many_passed_runs_as_it_needs(ended: list[Status], needed: int | None):
    runs = len(ended)
    job = Job(case=case_of(id="T", input="x", **({} if needed is None else {"min_pass": needed})), index=1, runs=runs)
    result = result_of(job, tuple(Attempt(status=status, run=at) for at, status in enumerate(ended, 1)))
    passed = ended.count(Status.PASSED)
    assert (result.status is Status.PASSED) is (passed >= (needed or runs))
    assert (result.status is Status.SKIPPED) is (ended.count(Status.SKIPPED) == runs)
    assert result.is_red is (result.status not in (Status.PASSED, Status.SKIPPED))


async def test_skipped_runs_count_as_not_passed():
    class SkipsEverySecond(FakeTarget):
        opened = 0

        async def open(self, context):  # type: ignore[no-untyped-def]
            self.opened += 1
            self.says = ["fine"] if self.opened % 2 else ["And then?"]
            return await super().open(context)

    asked = case_of(id="T", turns=[{"input": "one"}], min_pass=2)
    _, (result,) = await run_all([asked], SkipsEverySecond(), runs=3, parallel=1)
    assert [attempt.status for attempt in result.attempts] == [Status.PASSED, Status.SKIPPED, Status.PASSED]
    assert result.status is Status.PASSED
    _, (strict,) = await run_all([case_of(id="T", turns=[{"input": "one"}])], SkipsEverySecond(), runs=3, parallel=1)
    assert strict.status is Status.FAILED
