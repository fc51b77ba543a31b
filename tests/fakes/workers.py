"""Workers in this process, at the Worker socket: they work as told, and die as told."""

import asyncio
import os
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from vivavoce.errors import UsageError
from vivavoce.executors.job_runner import Batch
from vivavoce.executors.packing import packed, unpacked
from vivavoce.executors.worker_link import WorkerDied
from vivavoce.model.case import Case
from vivavoce.model.result import Attempt, Status
from vivavoce.model.verdict import Outcome, Verdict
from vivavoce.protocols import Job, Work

Does = Callable[["FakeWorker", Job], Awaitable[Attempt]]


def job_of(case_id: str) -> Job:
    return Job(case=Case(id=case_id), index=1)


async def passes(_worker: "FakeWorker", _job: Job) -> Attempt:
    await asyncio.sleep(0)
    return Attempt(status=Status.PASSED)


class FakeWorker:
    def __init__(self, does: Does, on_open: Exception | None = None, *, never_opens: bool = False) -> None:
        self._does = does
        self._never_opens = never_opens
        self._on_open = on_open
        self._finished: Batch = []
        self._news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self.dead = False
        self.ended = False
        self.heard: list[str] = []
        self.at_once = 0

    def die(self) -> None:
        self.dead = True
        self._news.set()

    async def open(self) -> None:
        await asyncio.sleep(60 if self._never_opens else 0)
        if self._on_open is not None:
            raise self._on_open

    async def give(self, jobs: Batch) -> None:
        self._require_life()
        for number, data in jobs:
            job = unpacked(data, Job)
            self.heard.append(job.case.id)
            task = asyncio.create_task(self._work(number, job))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self.at_once = max(self.at_once, len(self._tasks))

    async def collect(self) -> Batch:
        await self._news.wait()
        self._require_life()
        self._news.clear()
        finished, self._finished = self._finished, []
        return finished

    async def end(self) -> None:
        self.ended = True
        for task in self._tasks:
            task.cancel()

    async def _work(self, number: int, job: Job) -> None:
        attempt = await self._does(self, job)
        self._finished.append((number, packed(attempt)))
        self._news.set()

    def _require_life(self) -> None:
        if self.dead:
            raise WorkerDied("worker died")


class FakeStarter:
    """Hires fake workers and remembers them all."""

    def __init__(self, does: Does = passes, *, on_open: Exception | None = None, places: int | None = None) -> None:
        self._does = does
        self._places = places
        """Workers started after so many never get to work."""
        self._on_open = on_open
        self.started: list[FakeWorker] = []
        self.extra: list[FakeWorker] = []

    def start(self) -> FakeWorker:
        no_place = self._places is not None and len(self.started) >= self._places
        self.started.append(FakeWorker(self._does, self._on_open, never_opens=no_place))
        return self.started[-1]

    def start_extra(self) -> FakeWorker:
        self.extra.append(FakeWorker(self._does, self._on_open))
        return self.extra[-1]

    @property
    def everybody(self) -> list[FakeWorker]:
        return [*self.started, *self.extra]


@asynccontextmanager
async def open_place(journal: str) -> AsyncGenerator[Work]:
    """A worker that writes to a file what happens to it; what a job does is its case's id."""
    if journal == "nowhere":
        raise UsageError("there is no such place")

    async def work(job: Job) -> Attempt:
        match job.case.id:
            case "hang":
                await asyncio.sleep(60)
            case "raise":
                raise ValueError("a bug")
            case "cancelled":
                raise asyncio.CancelledError
            case "die":
                os._exit(7)
            case "which process":
                return Attempt(status=Status.PASSED, error=str(os.getpid()))
            case "nested":
                nested: list[object] = []
                nested.append(nested)
                return Attempt(status=Status.PASSED, verdicts=(Verdict(outcome=Outcome.PASSED, actual=nested),))
            case _:
                return Attempt(status=Status.PASSED, error=job.case.id)
        raise AssertionError

    try:
        yield work
    finally:
        Path(journal).write_text("closed")
