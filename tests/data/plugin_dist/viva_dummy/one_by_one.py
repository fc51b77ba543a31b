import sys
from collections.abc import Iterator

from vivavoce.plugins import executor
from vivavoce.protocols import Done, Job, Work, WorkerSetup


@executor("one_by_one")
class OneByOne:
    """One case after the other, whatever --parallel says."""

    def __init__(self, parallel: int, address: str | None, setup: WorkerSetup) -> None:
        print(f"one by one at {address}", file=sys.stderr)

    async def run(self, jobs: Iterator[Job], work: Work, done: Done) -> None:
        for job in jobs:
            done(job, await work(job))
