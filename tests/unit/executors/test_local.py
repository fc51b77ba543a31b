import asyncio
import time
from collections.abc import Iterator

import pytest
from tests.fakes.workers import job_of

from vivavoce.errors import UsageError
from vivavoce.executors.local import LocalExecutor
from vivavoce.model.result import Attempt, Status
from vivavoce.plugins.catalog import EXECUTORS
from vivavoce.protocols import Job


class Counting:
    """Work that counts how much of it runs at once."""

    def __init__(self) -> None:
        self.running = 0
        self.most = 0

    async def work(self, _job: Job) -> Attempt:
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(0.001)
        self.running -= 1
        return Attempt(status=Status.PASSED)


async def test_as_many_run_at_once_as_asked_for_and_no_more():
    counting = Counting()
    told: list[str] = []
    jobs = iter([job_of(str(number)) for number in range(40)])
    await LocalExecutor(5).run(jobs, counting.work, lambda job, _: told.append(job.case.id))
    assert counting.most == 5
    assert sorted(told, key=int) == [str(number) for number in range(40)]


async def test_jobs_are_taken_only_when_there_is_somebody_to_work_them():
    taken = 0

    def jobs() -> Iterator[Job]:
        nonlocal taken
        for number in range(100):
            taken += 1
            yield job_of(str(number))

    def stop(_job: Job, _attempt: Attempt) -> None:
        raise KeyError

    with pytest.raises(ExceptionGroup):
        await LocalExecutor(3).run(jobs(), Counting().work, stop)
    assert taken <= 4


async def test_no_more_workers_start_than_there_are_jobs():
    started = 0
    counting = Counting()

    def jobs() -> Iterator[Job]:
        yield job_of("one")
        yield job_of("two")

    async def work(job: Job) -> Attempt:
        nonlocal started
        started = max(started, len(asyncio.all_tasks()))
        return await counting.work(job)

    async with asyncio.timeout(60):
        await LocalExecutor(10_000_000).run(jobs(), work, lambda _job, _attempt: None)
    assert (counting.most, started) == (2, 3)


async def test_work_that_never_waits_still_lets_others_run():
    others = 0

    async def other() -> None:
        nonlocal others
        while True:
            others += 1
            await asyncio.sleep(0)

    async def work(_job: Job) -> Attempt:
        time.sleep(0.06)
        return Attempt(status=Status.PASSED)

    beside = asyncio.create_task(other())
    await LocalExecutor(1).run(iter([job_of("1"), job_of("2"), job_of("3")]), work, lambda _job, _attempt: None)
    beside.cancel()
    assert others >= 3


def test_a_local_executor_has_no_address():
    with pytest.raises(UsageError, match="did you mean ray=ADDRESS"):
        EXECUTORS.load("local")(1, "host:1", None)


@pytest.mark.parametrize("stops_after", range(1, 6))
async def test_a_stop_while_workers_are_still_starting_ends_them_all(stops_after: int):
    """The group's own task is cancelled and takes that back before the workers see their cancellation."""
    begun: list[str] = []
    ended: list[Job] = []

    class Stop(Exception):
        pass

    async def work(job: Job) -> Attempt:
        begun.append(job.case.id)
        if len(begun) != stops_after:
            await asyncio.Event().wait()
        return Attempt(status=Status.FAILED)

    def done(job: Job, _attempt: Attempt) -> None:
        ended.append(job)
        if len(ended) == 1:
            raise Stop

    async with asyncio.timeout(60):
        with pytest.raises(ExceptionGroup) as raised:
            await LocalExecutor(8).run((job_of(f"T{n}") for n in range(50)), work, done)
    assert raised.group_contains(Stop)
    assert len(begun) <= 8
    assert len(ended) == 1
