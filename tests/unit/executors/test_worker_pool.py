"""The pool of workers: no job is lost or reported twice when a worker dies."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest
from tests.fakes.workers import Does, FakeStarter, FakeWorker, job_of, passes

from vivavoce.errors import UsageError, VivaError
from vivavoce.executors.local import LocalExecutor
from vivavoce.executors.worker_link import WorkerDied
from vivavoce.executors.worker_pool import TRIES, open_pool
from vivavoce.model.result import Attempt, Status
from vivavoce.protocols import Done, Job


async def worked(
    ids: Sequence[str],
    starter: FakeStarter,
    *,
    size: int = 2,
    share: int = 4,
    repeat: bool = True,
    at_once: int | None = None,
    done: Done | None = None,
) -> list[tuple[str, Attempt]]:
    """All jobs through a pool, with as many at once as it takes."""
    told: list[tuple[str, Attempt]] = []
    done = done or (lambda job, attempt: told.append((job.case.id, attempt)))
    async with asyncio.timeout(60), open_pool(size, share, starter, lambda _job: repeat) as pool:
        await LocalExecutor(at_once or size * share).run(iter([job_of(name) for name in ids]), pool.work, done)
    return told


async def slow(worker: FakeWorker, job: Job) -> Attempt:
    await asyncio.sleep(0.002)
    return await passes(worker, job)


def dying_on(*killers: str, times: int = 1000) -> Does:
    """Work that takes its worker down when it meets one of the killers, so many times each."""
    left = Counter(dict.fromkeys(killers, times))

    async def does(worker: FakeWorker, job: Job) -> Attempt:
        await asyncio.sleep(0.001)
        if left[job.case.id] > 0:
            left[job.case.id] -= 1
            worker.die()
            await asyncio.sleep(60)
        return await passes(worker, job)

    return does


async def test_every_job_is_told_once():
    ids = [str(number) for number in range(100)]
    told = await worked(ids, FakeStarter())
    assert sorted(name for name, _ in told) == sorted(ids)
    assert {attempt.status for _, attempt in told} == {Status.PASSED}


async def test_the_worker_with_the_least_to_do_is_next():
    starter = FakeStarter(slow)
    await worked([str(number) for number in range(40)], starter, size=2, share=8, at_once=4)
    first, second = starter.started
    assert first.at_once <= 3
    assert second.at_once <= 3
    assert len(first.heard) == pytest.approx(len(second.heard), abs=8)


async def test_whoever_is_left_gets_no_more_than_its_share():
    async def does(worker: FakeWorker, job: Job) -> Attempt:
        if job.case.id == "0":
            worker.die()
        return await slow(worker, job)

    starter = FakeStarter(does, places=2)
    told = await worked([str(number) for number in range(60)], starter, size=2, share=4, repeat=False)
    assert len(told) == 60
    assert len(starter.started) == 3, "a third was started and never came"
    assert starter.started[1].at_once == 4


async def test_a_lost_job_is_worked_elsewhere_and_says_so():
    starter = FakeStarter(dying_on("7", times=1))
    told = dict(await worked([str(number) for number in range(20)], starter, share=1))
    assert len(told) == 20
    assert told["7"].status is Status.PASSED
    assert told["7"].retries == ("worker died",)
    assert told["3"].retries == ()


async def test_a_job_that_must_not_be_repeated_is_an_error_of_its_target():
    starter = FakeStarter(dying_on("7", times=1))
    told = dict(await worked([str(number) for number in range(20)], starter, share=1, repeat=False))
    assert told["7"].status is Status.ERROR
    assert told["7"].fault == "target"
    assert told["7"].error == "worker died"
    assert sum(worker.heard.count("7") for worker in starter.everybody) == 1


async def test_a_job_that_kills_its_worker_is_blamed_alone():
    starter = FakeStarter(dying_on("7"))
    told = await worked([str(number) for number in range(40)], starter, share=8)
    unsuccessful = {name for name, attempt in told if attempt.status is not Status.PASSED}
    assert len(told) == 40
    assert unsuccessful == {"7"}
    assert sum(worker.heard.count("7") for worker in starter.everybody) == TRIES
    assert ["7"] in [worker.heard for worker in starter.extra], "the last time it was alone"
    assert len(dict(told)["7"].retries) == TRIES - 1


async def test_many_dying_workers_lose_nothing():
    killers = [str(number) for number in range(0, 60, 5)]
    told = await worked([str(number) for number in range(60)], FakeStarter(dying_on(*killers, times=1)), share=3)
    assert Counter(name for name, _ in told) == Counter(str(number) for number in range(60))
    assert {attempt.status for _, attempt in told} == {Status.PASSED}


async def test_workers_that_never_work_end_the_run():
    starter = FakeStarter(on_open=WorkerDied("no memory"))
    with pytest.raises(ExceptionGroup) as raised:
        await worked(["1"], starter, size=1)
    assert raised.group_contains(VivaError, match="10 workers died .* the last: no memory")
    assert all(worker.ended for worker in starter.everybody)


async def test_a_worker_that_cannot_be_set_up_ends_the_run_at_once():
    starter = FakeStarter(on_open=UsageError("no such folder"))
    with pytest.raises(ExceptionGroup) as raised:
        await worked(["1"], starter, size=1)
    assert raised.group_contains(UsageError, match="no such folder")
    assert len(starter.started) == 1


async def test_everybody_is_dismissed_however_it_ends():
    starter = FakeStarter(dying_on("2", times=1))
    await worked(["1", "2", "3"], starter)
    assert all(worker.ended for worker in starter.everybody)

    def fail_fast(_job: Job, _attempt: Attempt) -> None:
        raise KeyError

    stopped = FakeStarter()
    with pytest.raises(ExceptionGroup) as raised:
        await worked(["1", "2", "3"], stopped, done=fail_fast)
    assert raised.group_contains(KeyError)
    assert stopped.started
    assert all(worker.ended for worker in stopped.everybody)


async def test_cancelling_leaves_nobody_at_work():
    async def forever(_worker: FakeWorker, _job: Job) -> Attempt:
        await asyncio.sleep(60)
        raise AssertionError

    starter = FakeStarter(forever)
    running = asyncio.create_task(worked(["1", "2", "3"], starter))
    while not any(worker.heard for worker in starter.started):
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert all(worker.ended for worker in starter.everybody)


@pytest.mark.parametrize("steps", range(6))
async def test_a_death_at_the_moment_of_the_end_starts_no_new_worker(steps: int):
    starter = FakeStarter()
    async with asyncio.timeout(60):
        async with open_pool(1, 1, starter, lambda _job: True) as pool:
            await pool.work(job_of("a"))
            (worker,) = starter.started
            worker.die()
            for _ in range(steps):
                await asyncio.sleep(0)
    assert all(worker.ended for worker in starter.started)
