"""A pool of worker processes with an even load. Jobs of a dead worker go to another, if they may run again."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from msgspec import structs

from vivavoce.errors import VivaError
from vivavoce.executors.packing import packed, unpacked
from vivavoce.executors.worker_link import Worker, WorkerDied, WorkerLink
from vivavoce.metering.clock import now_ms
from vivavoce.model.result import Attempt, Status
from vivavoce.protocols import Job
from vivavoce.wording.plurals import counted

TRIES = 3
"""How often a job is tried at most. The last try is in a worker of its own, so that it can kill no other job."""
DEATHS_IN_A_ROW = 10
"""After so many deaths per worker without a finished case, the cluster is reported as broken."""
PATIENCE_S = 300.0
"""How long to wait for the first free CPU: a cluster may have to grow."""


def stays_here(job: Job) -> bool:
    """Whether a job stays in this process: it needs the terminal, or is skipped."""
    return job.case.rules.interactive or job.case.skip is not None


class WorkerStarter(Protocol):
    """Where workers come from."""

    def start(self) -> Worker:
        """Starts a worker with a CPU of its own. Opening it may take a while."""
        ...

    def start_extra(self) -> Worker:
        """Starts one more worker, without waiting for a free CPU."""
        ...


@asynccontextmanager
async def open_pool(
    size: int, share: int, starter: WorkerStarter, may_repeat: Callable[[Job], bool]
) -> "AsyncGenerator[WorkerPool]":
    """Keeps `size` workers with at most `share` jobs each. Replaces dead ones and ends all when the run ends."""
    pool = WorkerPool(size, share, starter, may_repeat)
    async with asyncio.TaskGroup() as tasks:
        places = [tasks.create_task(pool.keep_a_place_filled()) for _ in range(size)]
        try:
            yield pool
        finally:
            pool.close()
            for place in places:
                place.cancel()


class WorkerPool:
    """Gives each job to the worker with the least to do."""

    def __init__(self, size: int, share: int, starter: WorkerStarter, may_repeat: Callable[[Job], bool]) -> None:
        self._share = share
        self._starter = starter
        self._may_repeat = may_repeat
        self._links: list[WorkerLink] = []
        # There are never too few permits: those of a dead worker remain and are simply used up.
        self._room = asyncio.Semaphore(0)
        self._alone = asyncio.Semaphore(1)
        self._deaths_allowed = DEATHS_IN_A_ROW * size
        self._deaths = 0
        self._is_open = True

    def close(self) -> None:
        """No worker is started from now on."""
        self._is_open = False

    async def work(self, job: Job) -> Attempt:
        """protocols.Work: runs a job in one of the workers."""
        started_ms = now_ms()
        data = packed(job)
        lost: list[str] = []
        while True:
            try:
                answer = await (self._worked_alone(data) if len(lost) == TRIES - 1 else self._worked(data))
            except WorkerDied as death:
                lost.append(str(death))
                if len(lost) < TRIES and self._may_repeat(job):
                    continue
                attempt = Attempt(
                    status=Status.ERROR,
                    fault="target",
                    error=lost.pop(),
                    run=job.run,
                    started_ms=started_ms,
                    overhead_ms=now_ms() - started_ms,
                )
            else:
                attempt = unpacked(answer, Attempt)
            self._deaths = 0
            return structs.replace(attempt, retries=(*lost, *attempt.retries)) if lost else attempt

    async def keep_a_place_filled(self) -> None:
        """One worker, and another when it dies. Raises VivaError when none can do the work."""
        # Asked each time: a task group swallows a cancellation that comes at the moment of a death (Python 3.11, 3.12).
        while self._is_open:
            worker = self._starter.start()
            try:
                await worker.open()
                await self._employed(WorkerLink(worker))
            except WorkerDied as death:
                self._count(death)
            finally:
                await worker.end()

    async def _employed(self, link: WorkerLink) -> None:
        self._links.append(link)
        for _ in range(self._share):
            self._room.release()
        try:
            await link.serve()
        finally:
            self._links.remove(link)

    async def _worked(self, data: bytes) -> bytes:
        link = await self._free_link()
        answer = await link.work(data)
        self._room.release()
        return answer

    async def _free_link(self) -> WorkerLink:
        while True:
            await self._wait_for_room()
            free = [link for link in self._links if link.load < self._share]
            if free:
                return min(free, key=lambda link: link.load)

    async def _wait_for_room(self) -> None:
        while True:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await self._room.acquire()
                    return
            except TimeoutError:
                if not self._links:
                    raise VivaError(
                        f"no worker could be started for {PATIENCE_S:.0f} seconds", hint="has the cluster a free CPU?"
                    ) from None

    async def _worked_alone(self, data: bytes) -> bytes:
        async with self._alone:
            worker = self._starter.start_extra()
            try:
                await worker.open()
                await worker.give([(0, data)])
                [(_, answer)] = await worker.collect()
                return answer
            finally:
                await worker.end()

    def _count(self, death: WorkerDied) -> None:
        self._deaths += 1
        if self._deaths >= self._deaths_allowed:
            raise VivaError(
                f"{counted(self._deaths, 'worker')} died with no case finished in between; the last: {death}",
                hint="look at the logs and the memory of the machines they ran on",
            )
