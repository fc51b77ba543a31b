"""Jobs on this machine: as many conversations at once as asked for, in one event loop."""

import asyncio
from collections.abc import Iterator
from time import monotonic

from vivavoce.errors import UsageError
from vivavoce.metering.clock import now_ms
from vivavoce.model.result import Attempt, Status
from vivavoce.protocols import Done, Job, Work, WorkerSetup

_GIVE_WAY_S = 0.05


class LocalExecutor:
    """A fixed number of workers that each take the next job: no task or queue entry per case."""

    def __init__(self, parallel: int) -> None:
        self._parallel = parallel

    async def run(self, jobs: Iterator[Job], work: Work, done: Done) -> None:
        boss = asyncio.current_task()
        nothing_left = ending = False
        gave_way = monotonic()

        async def worker() -> None:
            nonlocal ending
            try:
                await work_off()
            except BaseException:
                # Cancels the others. The group takes the cancellation of its own task back before they notice.
                ending = True
                raise

        async def work_off() -> None:
            nonlocal nothing_left, gave_way
            # One event loop, so taking the next job from the shared iterator needs no lock.
            for job in jobs:
                try:
                    attempt = await work(job)
                except asyncio.CancelledError:
                    if ending or boss is None or boss.cancelling():
                        raise
                    # The code under test has cancelled the task it was called in.
                    attempt = _cancelled_itself(job)
                done(job, attempt)
                if monotonic() - gave_way > _GIVE_WAY_S:
                    # Agents that never wait would block everything else in the loop: results, timers, Ctrl-C.
                    await asyncio.sleep(0)
                    gave_way = monotonic()
            nothing_left = True

        async with asyncio.TaskGroup() as workers:
            for _ in range(self._parallel):
                workers.create_task(worker())
                # Lets each worker take its first job before the next one starts: a short list needs only a few.
                await asyncio.sleep(0)
                if nothing_left:
                    break


def _cancelled_itself(job: Job) -> Attempt:
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()
    words = "the agent cancelled the task that viva called it in"
    return Attempt(status=Status.ERROR, run=job.run, fault="agent", error=words, started_ms=now_ms())


def local_executor(parallel: int, address: str | None, _setup: WorkerSetup) -> LocalExecutor:
    """`--executor local`: protocols.ExecutorFactory."""
    if address is not None:
        raise UsageError(
            f"--executor local has no address, but {address!r} was given", hint="did you mean ray=ADDRESS?"
        )
    return LocalExecutor(parallel)
