"""Jobs to a worker and attempts back: in batches, each to whoever waits for it, none lost in silence."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from vivavoce.executors.job_runner import Batch
from vivavoce.executors.worker_link import WorkerDied, WorkerLink


class Slow:
    """A worker that takes jobs when it is let, and reports when it is told to."""

    def __init__(self) -> None:
        self.given: list[Batch] = []
        self.may_take = asyncio.Event()
        self.reports: asyncio.Queue[Batch | WorkerDied] = asyncio.Queue()

    async def open(self) -> None: ...

    async def give(self, jobs: Batch) -> None:
        self.given.append(jobs)
        await self.may_take.wait()

    async def collect(self) -> Batch:
        report = await self.reports.get()
        if isinstance(report, WorkerDied):
            raise report
        return report

    async def dismiss(self) -> None: ...


@asynccontextmanager
async def linked() -> AsyncIterator[tuple[Slow, WorkerLink, "asyncio.Task[None]"]]:
    worker = Slow()
    link = WorkerLink(worker)
    serving = asyncio.create_task(link.serve())
    try:
        yield worker, link, serving
    finally:
        serving.cancel()
        with suppress(asyncio.CancelledError, WorkerDied):
            await serving


async def rounds(number: int = 10) -> None:
    """Lets everybody come to a standstill."""
    for _ in range(number):
        await asyncio.sleep(0)


async def test_jobs_that_come_during_a_call_go_with_the_next_one():
    async with linked() as (worker, link, _):
        first = asyncio.create_task(link.work(b"a"))
        await rounds()
        others = [asyncio.create_task(link.work(job)) for job in (b"b", b"c")]
        await rounds()
        assert ([[job for _, job in batch] for batch in worker.given], link.load) == ([[b"a"]], 3)
        worker.may_take.set()
        await rounds()
        assert [[job for _, job in batch] for batch in worker.given] == [[b"a"], [b"b", b"c"]]
        numbers = [number for batch in worker.given for number, _ in batch]
        worker.reports.put_nowait([(number, b"done %d" % number) for number in reversed(numbers)])
        assert await asyncio.gather(first, *others) == [b"done %d" % number for number in numbers]
        assert link.load == 0


async def test_everybody_who_waits_hears_of_its_death():
    async with linked() as (worker, link, serving):
        waiting = [asyncio.create_task(link.work(job)) for job in (b"a", b"b")]
        await rounds()
        worker.reports.put_nowait(WorkerDied("killed by signal 9"))
        for one in (*waiting, serving):
            with pytest.raises(WorkerDied, match="killed by signal 9"):
                await one


async def test_an_attempt_that_nobody_waits_for_any_more_harms_nobody():
    async with linked() as (worker, link, _):
        worker.may_take.set()
        given_up = asyncio.create_task(link.work(b"a"))
        await rounds()
        given_up.cancel()
        await rounds()
        assert link.load == 0
        worker.reports.put_nowait([(0, b"too late"), (99, b"nobody's")])
        second = asyncio.create_task(link.work(b"b"))
        await rounds()
        worker.reports.put_nowait([(1, b"done")])
        assert await second == b"done"
