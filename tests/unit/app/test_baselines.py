"""A run against a baseline: only what became worse decides the exit code."""

from pathlib import Path

import pytest
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.baselines import BaselineCheck, find_baseline
from vivavoce.app.examine import examine
from vivavoce.app.opening import open_project
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, UsageError
from vivavoce.insight.baselines.baseline import Baseline, BaselineCase
from vivavoce.insight.baselines.comparing import compare
from vivavoce.model.result import RunInfo

GOOD = {"id": "A", "input": "hi", "expected": "echo: hi"}
BAD = {"id": "B", "input": "hi", "expected": "no"}


async def code(request_for: MakeRequest, *cases: dict[str, str], **options: object) -> int:
    return (await examine(request_for(*cases, **options))).exit_code


async def test_what_failed_before_does_not_fail_the_run(root: Path, request_for: MakeRequest):
    assert await code(request_for, GOOD, BAD, runs=3, baseline="main", update_baseline=True) == EXIT_FAILED
    assert await code(request_for, GOOD, BAD, runs=3) == EXIT_FAILED
    assert await code(request_for, GOOD, BAD, runs=3, baseline="main") == EXIT_PASSED
    found = find_baseline("main", open_project(None))
    assert [(case.id, case.passed, case.runs) for case in found.cases] == [("A", 3, 3), ("B", 0, 3)]


async def test_all_passed_before_and_none_now_fails(root: Path, request_for: MakeRequest):
    await code(request_for, GOOD, runs=3, baseline="main", update_baseline=True)
    (root / "agent.py").write_text("def reply(text):\n    return 'other'\n")
    assert await code(request_for, GOOD, runs=3, baseline="main") == EXIT_FAILED


async def test_a_single_failure_is_run_again_before_it_counts(root: Path, request_for: MakeRequest):
    await code(request_for, GOOD, baseline="main", update_baseline=True)
    once = "n = []\ndef reply(text):\n    n.append(1)\n    return 'no' if len(n) == 1 else 'echo: ' + text\n"
    (root / "other.py").write_text(once)
    assert await code(request_for, GOOD, agent="python:other.py:reply", baseline="main") == EXIT_PASSED
    (root / "third.py").write_text(once)
    options = {"agent": "python:third.py:reply", "baseline": "main", "confirm": False}
    assert await code(request_for, GOOD, **options) == EXIT_FAILED


async def test_a_new_case_that_fails_still_fails_the_run(root: Path, request_for: MakeRequest):
    await code(request_for, GOOD, baseline="main", update_baseline=True)
    assert await code(request_for, GOOD, BAD, baseline="main") == EXIT_FAILED


async def test_an_unknown_baseline_is_refused_before_anything_runs(request_for: MakeRequest):
    with pytest.raises(UsageError, match="no baseline 'nope'"):
        await examine(request_for(GOOD, baseline="nope"))


MOODY = "n = []\ndef reply(text):\n    n.append(1)\n    return 'no' if len(n) % 2 else 'echo: ' + text\n"


async def test_a_case_the_history_knows_as_flaky_does_not_count(root: Path, request_for: MakeRequest):
    await code(request_for, GOOD, agent="a", baseline="main", update_baseline=True)
    (root / "agent.py").write_text(MOODY)
    await code(request_for, GOOD, agent="a", runs=8)
    (root / "agent.py").write_text("def reply(text):\n    return 'no'\n")
    assert await code(request_for, GOOD, agent="a", baseline="main") == EXIT_PASSED


async def test_a_failure_that_a_spent_budget_left_unconfirmed_counts(root: Path):
    before, now = counts(passed=1), counts(passed=0)
    check = BaselineCheck(
        Baseline(name="main", cases=(before,)), RunInfo(run_id="r", started_at="", agent_id="a"), confirm=True
    )
    check.stopped = "budget"
    found = compare(check.baseline, [now], confirm=check.confirm and check.stopped is None)
    assert found.regressed
    assert not compare(check.baseline, [now]).regressed


def counts(passed: int) -> BaselineCase:
    return BaselineCase(key="c::A", id="A", agent="a", case_hash="h", runs=1, passed=passed)


async def test_a_case_that_broke_once_is_not_taken_for_flaky(root: Path, request_for: MakeRequest):
    (root / "agent.py").write_text("from pathlib import Path\ndef reply(text):\n    return Path('says').read_text()\n")
    (root / "says").write_text("echo: hi")
    await code(request_for, GOOD, agent="a", runs=4, baseline="main", update_baseline=True)
    (root / "says").write_text("no")
    await code(request_for, GOOD, agent="a", runs=4)
    assert await code(request_for, GOOD, agent="a", baseline="main") == EXIT_FAILED


async def test_a_run_in_which_nothing_passes_is_red_though_nothing_passed_before(root: Path, request_for: MakeRequest):
    (root / "agent.py").write_text("def reply(text):\n    raise ValueError('down')\n")
    await code(request_for, GOOD, runs=3, baseline="main", update_baseline=True)
    assert await code(request_for, GOOD, runs=3, baseline="main") == EXIT_FAILED
