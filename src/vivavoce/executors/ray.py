"""Jobs on a Ray cluster: `--executor ray[=ADDRESS]`."""

import asyncio
import os
import pickle
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from vivavoce.errors import UsageError
from vivavoce.executors.job_runner import Batch, JobRunner
from vivavoce.executors.local import LocalExecutor
from vivavoce.executors.ray_cluster import cluster, require_ray, require_reachable
from vivavoce.executors.worker_link import WorkerDied
from vivavoce.executors.worker_pool import open_pool, stays_here
from vivavoce.model.result import Attempt
from vivavoce.protocols import Done, Job, Work, WorkerSetup
from vivavoce.version import __version__

CLOSING_S = 3.0
NEVER_LIVED = "error raised in its creation task"
SAME_EVERYWHERE = "vivavoce[ray] must be installed on every machine of the cluster"
DIED = "worker died before it reported this case (killed, out of memory, or brought down by the code it ran)"


class RayExecutor:
    """As many conversations at once as asked for, cluster-wide, in one worker process per free CPU."""

    def __init__(self, parallel: int, address: str | None, setup: WorkerSetup) -> None:
        require_ray()
        self._parallel = parallel
        # Inside a Ray job the variable names the cluster the job runs on.
        self._address = address or os.environ.get("RAY_ADDRESS") or None
        self._setup = setup
        if self._address is not None:
            require_reachable(self._address)

    async def run(self, jobs: Iterator[Job], work: Work, done: Done) -> None:
        async with cluster(self._address) as ray:
            free_cpus = int(ray.available_resources().get("CPU", 0))
            size = max(1, min(free_cpus, self._parallel, self._setup.most or free_cpus))
            starter = RayStarter(ray, pickle.dumps(self._setup.opener(size)))
            share = -(-self._parallel // size)
            async with open_pool(size, share, starter, self._setup.may_repeat) as pool:

                async def here_or_there(job: Job) -> Attempt:
                    return await (work(job) if stays_here(job) else pool.work(job))

                await LocalExecutor(self._parallel).run(jobs, here_or_there, done)


class RayStarter:
    """worker_pool.WorkerStarter on a cluster."""

    def __init__(self, ray: Any, opener: bytes) -> None:
        self._ray = ray
        self._opener = opener
        self._actor: Any = ray.remote(JobRunner)

    def start(self) -> "RayWorker":
        return self._start(num_cpus=1)

    def start_extra(self) -> "RayWorker":
        return self._start(num_cpus=0)

    def _start(self, **needs: float) -> "RayWorker":
        actor = self._actor.options(max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD", **needs)
        return RayWorker(self._ray, actor.remote(), self._opener)


class RayWorker:
    """worker_link.Worker: a JobRunner in an actor of its own."""

    def __init__(self, ray: Any, actor: Any, opener: bytes) -> None:
        self._ray = ray
        self._actor = actor
        self._opener = opener
        self._opened = False

    async def open(self) -> None:
        try:
            problem = await self._ask("open", __version__, self._opener)
        except self._ray.exceptions.RayTaskError as error:
            problem = str(error.cause)
        self._opened = True
        if problem:
            raise UsageError(f"a worker of the Ray cluster cannot do the work: {problem}")

    async def give(self, jobs: Batch) -> None:
        await self._ask("give", jobs)

    async def collect(self) -> Batch:
        return await self._ask("collect")

    async def end(self) -> None:
        # Errors while closing do not matter: the process ends.
        try:
            with suppress(WorkerDied, TimeoutError, self._ray.exceptions.RayTaskError):
                if self._opened:
                    async with asyncio.timeout(CLOSING_S):
                        await self._ask("close")
        finally:
            self._ray.kill(self._actor)

    async def _ask(self, method: str, *arguments: Any) -> Any:
        try:
            return await getattr(self._actor, method).remote(*arguments)
        except self._ray.exceptions.RayActorError as error:
            if NEVER_LIVED in str(error):
                why = str(error).strip().rpartition("\n")[2]
                raise UsageError(
                    f"a worker of the Ray cluster cannot be started: {why}", hint=SAME_EVERYWHERE
                ) from None
            raise WorkerDied(DIED) from None
