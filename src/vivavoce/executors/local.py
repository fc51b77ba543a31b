"""Jobs on this machine: as many conversations at once as asked for, in one event loop."""

import asyncio
from collections.abc import Iterator

from vivavoce.protocols import Done, Job, Work


class LocalExecutor:
    """A fixed number of workers that each take the next job: no task or queue entry per case."""

    def __init__(self, parallel: int) -> None:
        self._parallel = parallel

    async def run(self, jobs: Iterator[Job], work: Work, done: Done) -> None:
        async def worker() -> None:
            # One event loop, so taking the next job from the shared iterator needs no lock.
            for job in jobs:
                done(job, await work(job))

        async with asyncio.TaskGroup() as workers:
            for _ in range(self._parallel):
                workers.create_task(worker())
                # Lets the first workers start, so that a short list never starts the idle ones.
                await asyncio.sleep(0)
