"""One worker in another process, as seen from here: many jobs on their way at once, few messages."""

import asyncio
from itertools import count
from typing import Protocol

from vivavoce.executors.job_runner import Batch


class WorkerDied(Exception):
    """A worker process has died. Its unreported attempts are lost."""


class Worker(Protocol):
    """A JobRunner in another process. Every call raises WorkerDied when it is gone."""

    async def open(self) -> None:
        """Raises UsageError when it cannot be set up for this run."""
        ...

    async def give(self, jobs: Batch) -> None: ...

    async def collect(self) -> Batch: ...

    async def end(self) -> None:
        """Lets it close what it opened, then ends it. Never raises."""
        ...


class WorkerLink:
    """Sends jobs to a worker and receives attempts, in batches: jobs that come during a call go with the next one."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._numbers = count()
        self._awaited: dict[int, asyncio.Future[bytes]] = {}
        self._outbox: Batch = []
        self._posted = asyncio.Event()

    @property
    def load(self) -> int:
        """Jobs given and not yet reported."""
        return len(self._awaited)

    async def work(self, job: bytes) -> bytes:
        """The attempt at a job. Raises WorkerDied."""
        number = next(self._numbers)
        answer = self._awaited[number] = asyncio.get_running_loop().create_future()
        self._outbox.append((number, job))
        self._posted.set()
        try:
            return await answer
        finally:
            self._awaited.pop(number, None)

    async def serve(self) -> None:
        """Runs until the worker dies, then raises WorkerDied in the caller and in all waiting tasks."""
        try:
            async with asyncio.TaskGroup() as both_ways:
                both_ways.create_task(self._send())
                both_ways.create_task(self._receive())
        except* WorkerDied as deaths:
            death = WorkerDied(str(deaths.exceptions[0]))
        else:
            return
        for answer in self._awaited.values():
            if not answer.done():
                answer.set_exception(death)
        raise death

    async def _send(self) -> None:
        while True:
            await self._posted.wait()
            self._posted.clear()
            jobs, self._outbox = self._outbox, []
            await self._worker.give(jobs)

    async def _receive(self) -> None:
        while True:
            for number, attempt in await self._worker.collect():
                answer = self._awaited.get(number)
                if answer is not None and not answer.done():
                    answer.set_result(attempt)
