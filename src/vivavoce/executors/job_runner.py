"""What a worker process does: many conversations at once. Jobs come in batches, and so do their attempts."""

import asyncio
import pickle
from contextlib import AsyncExitStack
from functools import partial

from vivavoce.errors import UsageError
from vivavoce.executors.packing import CannotTravel, packed, unpacked
from vivavoce.model.result import Attempt, Status
from vivavoce.protocols import Job, Work
from vivavoce.version import __version__

Batch = list[tuple[int, bytes]]
"""Jobs or attempts, packed, each with the number it travels under."""


class JobRunner:
    """Runs in a worker process and is called from the main one. Takes and returns plain data."""

    def __init__(self) -> None:
        self._work: Work | None = None
        self._at_end = AsyncExitStack()
        self._running: set[asyncio.Future[Attempt]] = set()
        self._finished: Batch = []
        self._some_finished = asyncio.Event()

    async def open(self, version: str, opener: bytes) -> str:
        """Sets the process up with a pickled WorkerSetup.opener. Returns the problem, or "" when there is none."""
        if version != __version__:
            return f"it has viva {__version__}, this is viva {version}"
        try:
            self._work = await self._at_end.enter_async_context(pickle.loads(opener)())
        except UsageError as problem:
            return str(problem)
        return ""

    async def give(self, jobs: Batch) -> None:
        assert self._work is not None, "jobs are given after `open`"
        for number, data in jobs:
            job = unpacked(data, Job)
            task = asyncio.ensure_future(self._work(job))
            self._running.add(task)
            task.add_done_callback(partial(self._keep, number, job))

    async def collect(self) -> Batch:
        """Returns the attempts finished since the last call; waits for at least one."""
        await self._some_finished.wait()
        self._some_finished.clear()
        finished, self._finished = self._finished, []
        return finished

    async def close(self) -> None:
        """Cancels running jobs and closes RunResources, so that no process of an agent is left."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._at_end.aclose()

    def _keep(self, number: int, job: Job, task: "asyncio.Future[Attempt]") -> None:
        """Keeps the attempt of a finished job; a job that broke is reported as an attempt with the error."""
        self._running.discard(task)
        bug = asyncio.CancelledError("it was cancelled") if task.cancelled() else task.exception()
        try:
            data = packed(task.result() if bug is None else _broken(job, f"{type(bug).__name__}: {bug}"))
        except CannotTravel as problem:
            data = packed(_broken(job, str(problem)))
        self._finished.append((number, data))
        self._some_finished.set()


def _broken(job: Job, why: str) -> Attempt:
    return Attempt(status=Status.ERROR, fault="test", error=f"viva broke on this case: {why}", run=job.run)
