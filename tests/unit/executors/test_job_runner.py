"""The worker: every job is answered, whatever happens to it."""

import asyncio
import pickle
from functools import partial
from pathlib import Path

from tests.fakes.workers import job_of, open_place

from vivavoce.executors.job_runner import JobRunner
from vivavoce.executors.packing import packed, unpacked
from vivavoce.model.result import Attempt, Status
from vivavoce.version import __version__


async def opened(journal: Path | str) -> JobRunner:
    runner = JobRunner()
    assert await runner.open(__version__, pickle.dumps(partial(open_place, str(journal)))) == ""
    return runner


async def worked(runner: JobRunner, *ids: str) -> list[Attempt]:
    """The attempts at these cases, in the order they were given."""
    await runner.give([(number, packed(job_of(name))) for number, name in enumerate(ids)])
    attempts: dict[int, Attempt] = {}
    async with asyncio.timeout(60):
        while len(attempts) < len(ids):
            for number, data in await runner.collect():
                assert number not in attempts
                attempts[number] = unpacked(data, Attempt)
    return [attempts[number] for number in range(len(ids))]


async def test_attempts_come_back_under_their_jobs_number(tmp_path: Path):
    attempts = await worked(await opened(tmp_path / "j"), "a", "b", "c")
    assert [attempt.error for attempt in attempts] == ["a", "b", "c"]


async def test_a_bug_a_stray_cancellation_and_an_endless_result_each_cost_one_case(tmp_path: Path):
    runner = await opened(tmp_path / "j")
    raised, cancelled, nested, fine = await worked(runner, "raise", "cancelled", "nested", "fine")
    assert fine.status is Status.PASSED
    assert {attempt.status for attempt in (raised, cancelled, nested)} == {Status.ERROR}
    assert raised.error == "viva broke on this case: ValueError: a bug"
    assert "cancelled" in (cancelled.error or "")
    assert "nested too deeply" in (nested.error or "")


async def test_another_version_of_viva_is_refused_before_anything_is_opened():
    problem = await JobRunner().open("0.0.0", b"not even a pickle")
    assert problem == f"it has viva {__version__}, this is viva 0.0.0"


async def test_what_speaks_against_the_place_comes_back_as_words():
    problem = await JobRunner().open(__version__, pickle.dumps(partial(open_place, "nowhere")))
    assert problem == "there is no such place"


async def test_closing_ends_what_runs_and_closes_the_place(tmp_path: Path):
    runner = await opened(tmp_path / "j")
    await runner.give([(0, packed(job_of("hang")))])
    async with asyncio.timeout(60):
        await runner.close()
    assert (tmp_path / "j").read_text() == "closed"
