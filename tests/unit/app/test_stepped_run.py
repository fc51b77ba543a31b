"""A run whose cases are asked for one at a time."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.surroundings import write_files
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.opening import open_project
from vivavoce.app.planning import planned
from vivavoce.app.request import RunRequest
from vivavoce.app.stepped_run import SteppedRun
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, UsageError, VivaError
from vivavoce.model.case import Case
from vivavoce.model.result import Status

GOOD = {"id": "A", "input": "hi", "expected": "echo: hi"}
BAD = {"id": "B", "input": "hi", "expected": "no"}
SKIPPED = {"id": "S", "input": "hi", "skip": "later"}


async def cases_of(request: RunRequest) -> list[Case]:
    async with planned(request) as ready:
        return list(ready.plan.cases())


async def stepped(request: RunRequest, *, partial: bool = False) -> tuple[SteppedRun, list[Case]]:
    cases = await cases_of(request)
    return SteppedRun(request, open_project(None), cases, partial=partial), cases


def rows(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "out.jsonl").read_text().splitlines()]


async def test_cases_asked_for_in_any_order_make_one_result_file(root: Path, request_for: MakeRequest):
    run, (good, bad) = await stepped(request_for(GOOD, BAD))
    assert (await run.examine(bad)).status is Status.FAILED
    assert (await run.examine(good)).status is Status.PASSED
    outcome = await run.finish()
    assert outcome is not None
    assert (outcome.exit_code, outcome.summary.total) == (EXIT_FAILED, 2)
    assert [row["type"] for row in rows(root)] == ["start", "result", "result", "summary"]


async def test_nothing_is_written_when_no_case_was_asked_for(root: Path, request_for: MakeRequest):
    run, _ = await stepped(request_for(GOOD))
    assert await run.finish() is None
    assert not (root / "out.jsonl").exists()


async def test_a_skipped_case_is_reported_although_nobody_asked_for_it(root: Path, request_for: MakeRequest):
    run, (good, _) = await stepped(request_for(GOOD, SKIPPED))
    await run.examine(good)
    outcome = await run.finish()
    assert outcome is not None
    assert (outcome.exit_code, outcome.summary.skipped) == (EXIT_PASSED, 1)


async def test_cases_nobody_asked_for_are_missing_unless_others_run_them(request_for: MakeRequest):
    for partial, not_run in ((False, 1), (True, 0)):
        run, (good, _) = await stepped(request_for(GOOD, BAD), partial=partial)
        await run.examine(good)
        outcome = await run.finish()
        assert outcome is not None
        assert outcome.summary.not_run == not_run


async def test_every_case_with_the_same_problem_is_told_it(root: Path, request_for: MakeRequest):
    request = request_for({"id": "A", "input": "x"}, {"id": "B", "input": "x"})
    cases = await cases_of(request)
    write_files(root, {"viva.yaml": "agents: {a: {python: agent.py:nobody}}\n"})
    run = SteppedRun(request, open_project(None), cases)
    for case in cases:
        with pytest.raises(UsageError, match="nobody"):
            await run.examine(case)
    assert await run.finish() is None


async def test_a_before_that_fails_fails_every_case_with_its_words(root: Path, request_for: MakeRequest):
    write_files(root, {"scripts/around.py": "def before(run): raise ValueError('no database')\n"})
    run, cases = await stepped(request_for(GOOD, BAD, before="scripts:around.before"))
    for case in cases:
        with pytest.raises(VivaError, match="no database"):
            await run.examine(case)
    assert await run.finish() is None


async def test_enough_failures_are_noticed(request_for: MakeRequest):
    run, (_, bad) = await stepped(request_for(GOOD, BAD, maxfail=1))
    assert not run.enough_failed
    await run.examine(bad)
    assert run.enough_failed
    await run.finish()


async def test_of_a_case_that_is_run_again_the_last_try_counts(root: Path, request_for: MakeRequest):
    """As plug-ins for flaky tests do it: a red test runs again at once."""
    run, (good, bad) = await stepped(request_for(GOOD, BAD, max_failures=3))
    for _ in range(3):
        await run.examine(bad)
    assert not run.enough_failed
    await run.examine(good)
    await run.examine(good)
    outcome = await run.finish()
    assert outcome is not None
    assert (outcome.exit_code, outcome.summary.total, outcome.summary.failed) == (EXIT_FAILED, 2, 1)
    results = [row for row in rows(root) if row["type"] == "result"]
    assert [row["id"] for row in results] == ["B", "A"]
    assert results[0]["warnings"] == ["run again by pytest after 2 earlier tries; only this one counts"]
    assert results[1]["warnings"] == ["run again by pytest after 1 earlier try; only this one counts"]
