"""A case's runs, and when no more of them are needed."""

import pytest
from tests.fakes.agents import FakeTarget
from tests.fakes.examining import case_of, run_all

from vivavoce.engine.repeats import Repeats, is_decided
from vivavoce.model.message import AgentReply
from vivavoce.model.result import Attempt, Status
from vivavoce.protocols import Job

OK, BAD, SKIP = Status.PASSED, Status.FAILED, Status.SKIPPED
CHECK = {"assert": {"type": "contains", "value": "good"}}


class Script(FakeTarget):
    """The n-th conversation of all gets the n-th answer."""

    async def open(self, context):  # type: ignore[no-untyped-def]
        session = await super().open(context)
        session.turn = len(self.contexts) - 1
        return session


@pytest.mark.parametrize(
    ("min_pass", "runs", "seen", "decided"),
    [
        (None, 5, [], False),
        (None, 5, [OK, OK], False),
        (None, 5, [OK, BAD], True),
        (None, 5, [SKIP], False),
        (3, 5, [OK, OK], False),
        (3, 5, [OK, OK, OK], True),
        (3, 5, [BAD, BAD], False),
        (3, 5, [BAD, BAD, OK, BAD], True),
        (4, 5, [BAD, Status.ERROR], True),
        (1, 5, [SKIP, SKIP], False),
        (5, 5, [SKIP], True),
        (6, 5, [OK], True),
    ],
)
def test_a_case_is_decided_when_no_further_run_could_change_it(min_pass, runs, seen, decided):
    job = Job(case=case_of(input="x", min_pass=min_pass), index=1, runs=runs)
    assert is_decided(job.case, job.runs, seen) is decided


async def test_early_stop_ends_a_case_whose_failure_is_certain():
    agent = Script(["good", "bad", "good"])
    summary, [result] = await run_all([case_of(input="x", **CHECK)], agent, runs=10, parallel=1, early_stop=True)
    assert [a.status for a in result.attempts] == [OK, BAD]
    assert result.status is BAD
    assert result.stability is not None
    assert (result.stability.runs, result.stability.passed) == (2, 1)
    assert (summary.total_runs, summary.not_run, summary.interrupted) == (2, 0, None)


async def test_early_stop_ends_a_case_whose_success_is_certain():
    case = case_of(input="x", min_pass=2, **CHECK)
    _, [result] = await run_all([case], Script(["bad", "good"]), runs=10, parallel=1, early_stop=True)
    assert (result.status, len(result.attempts)) == (OK, 3)


async def test_without_it_all_runs_are_made():
    case = case_of(input="x", min_pass=2, **CHECK)
    _, [result] = await run_all([case], Script(["good"]), runs=6, parallel=1)
    assert len(result.attempts) == 6


async def test_runs_that_are_under_way_may_finish_and_are_counted():
    agent = FakeTarget([AgentReply(text="bad")])
    _, [result] = await run_all([case_of(input="x", **CHECK)], agent, runs=50, parallel=5, early_stop=True)
    assert 1 <= len(result.attempts) <= 5
    assert len(agent.contexts) == len(result.attempts)


def test_a_case_that_is_through_stays_so_when_an_earlier_one_ends_after_it():
    runs = Repeats(early_stop=True)
    slow, quick = (
        [Job(case=case_of(input="x", min_pass=1), index=at, run=run, runs=3) for run in (1, 2, 3)] for at in (1, 2)
    )
    assert all(runs.wants(job) for job in [*slow, quick[0]])
    assert runs.came_in(quick[0], Attempt(status=OK)) is not None
    assert runs.came_in(slow[0], Attempt(status=BAD)) is None
    assert runs.came_in(slow[1], Attempt(status=OK)) is None
    assert runs.came_in(slow[2], Attempt(status=OK)) is not None
    assert not runs.wants(quick[1])
    assert list(runs.rest()) == []


@pytest.mark.parametrize("parallel", [1, 3, 7, 40])
async def test_every_case_is_told_exactly_once_whatever_ends_first(parallel):
    class Uneven(FakeTarget):
        async def open(self, context):  # type: ignore[no-untyped-def]
            number = int(context.case_id)
            self.says = [0.01 * (number % 3)] if len(self.contexts) % 4 else ["good"]
            return await super().open(context)

    cases = [case_of(id=str(n), input="x", min_pass=1 + n % 4, **CHECK) for n in range(30)]
    summary, results = await run_all(cases, Uneven(), runs=5, parallel=parallel, early_stop=True)
    assert sorted(int(r.case.id) for r in results) == list(range(30))
    assert sum(len(r.attempts) for r in results) == summary.total_runs
    for result in results:
        job = Job(case=result.case, index=1, runs=5)
        assert len(result.attempts) == 5 or is_decided(
            job.case, job.runs, [attempt.status for attempt in result.attempts]
        )
