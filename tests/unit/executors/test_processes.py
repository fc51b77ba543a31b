"""Worker processes on this machine: real ones, set up by the tests."""

import asyncio
import gc
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from functools import partial
from pathlib import Path

import pytest
from tests.fakes.workers import job_of, open_place

from vivavoce.errors import UsageError, VivaError
from vivavoce.executors.processes import PROGRAM, ProcessExecutor, process_executor
from vivavoce.model.result import Attempt, Status
from vivavoce.protocols import Job, Work


class Place:
    """protocols.WorkerSetup."""

    most: int | None = None

    def __init__(self, journal: Path | str) -> None:
        self._journal = str(journal)

    def opener(self, workers: int) -> Callable[[], AbstractAsyncContextManager[Work]]:
        return partial(open_place, self._journal)

    def may_repeat(self, job: Job) -> bool:
        return False


async def nobody(job: Job) -> Attempt:
    raise AssertionError(f"{job.case.id} ran in this process")


async def worked(place: Place, *ids: str, parallel: int = 2) -> dict[str, Attempt]:
    told: dict[str, Attempt] = {}
    jobs = iter([job_of(name) for name in ids])
    async with asyncio.timeout(100):
        await ProcessExecutor(parallel, place).run(
            jobs, nobody, lambda job, attempt: told.__setitem__(job.case.id, attempt)
        )
    return told


async def test_jobs_run_in_other_processes_which_close_what_they_opened(tmp_path: Path):
    told = await worked(Place(tmp_path / "journal"), "a", "which process", "b")
    assert {name: attempt.status for name, attempt in told.items()} == dict.fromkeys(told, Status.PASSED)
    assert (told["a"].error, told["b"].error) == ("a", "b")
    assert told["which process"].error != str(os.getpid())
    assert (tmp_path / "journal").read_text() == "closed"


async def test_a_job_that_ends_its_process_costs_one_case(tmp_path: Path):
    told = await worked(Place(tmp_path / "journal"), "a", "die", "b", parallel=1)
    assert {name: attempt.status.value for name, attempt in told.items()} == {
        "a": "passed", "die": "error", "b": "passed",
    }  # fmt: skip
    assert told["die"].error == "worker process ended before it reported this case (exit code 7)"


async def test_a_place_that_cannot_be_opened_is_told_before_any_job():
    with pytest.raises(ExceptionGroup) as caught:
        await worked(Place("nowhere"), "a")
    [problem] = caught.value.exceptions
    assert str(problem) == "a worker process cannot do the work: there is no such place"


@pytest.mark.parametrize("moment", [0, 1, 30])
async def test_a_cancelled_run_ends_its_processes(tmp_path: Path, moment: int):
    run = asyncio.create_task(worked(Place(tmp_path / "journal"), "which process", "hang", parallel=1))
    await asyncio.sleep(0.01 * moment)
    run.cancel()
    await asyncio.sleep(0)
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run
    gc.collect()
    assert not any(str(thing).endswith(PROGRAM) for thing in children())


def children() -> list[str]:
    """The module that each living child process of this one runs."""
    found: list[str] = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if status.read_text().rpartition(")")[2].split()[1] == str(os.getpid()):
                found += (status.parent / "cmdline").read_text().split("\0")[2:3]
    return found


def test_no_more_processes_than_the_project_allows():
    place = Place("x")
    place.most = 2
    assert ProcessExecutor(8, place)._size == 2  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(UsageError, match="has no address"):
        process_executor(2, "somewhere", place)


async def test_a_process_that_cannot_be_started_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.executable", str(tmp_path / "no python"))
    with pytest.raises(ExceptionGroup) as caught:
        await worked(Place(tmp_path / "journal"), "a", parallel=1)
    [problem] = caught.value.exceptions
    assert isinstance(problem, VivaError)
    assert "worker process could not be started" in str(problem)
