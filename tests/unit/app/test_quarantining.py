"""A run with a quarantine: its cases run and are told, and do not decide, unless something is wrong with that."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from tests.unit.app.conftest import MakeRequest

from vivavoce.app.examine import examine
from vivavoce.app.run_frame import Outcome
from vivavoce.errors import EXIT_FAILED, EXIT_PASSED, UsageError
from vivavoce.results.result_file import read_result_file

GOOD = {"id": "A", "input": "hi", "expected": "echo: hi"}
BAD = {"id": "B", "input": "hi", "expected": "no"}
TODAY = date.today()
LATER = TODAY + timedelta(days=2)
"""Also when midnight comes while these tests run."""


def quarantined(root: Path, *cases: str, until: date = LATER, more: str = "") -> None:
    entries = "".join(f"- {{case: {case}, why: known, until: {until}}}\n" for case in cases)
    (root / "quarantine.yaml").write_text(f"type: quarantine\n{more}cases:\n{entries}")


async def outcome(request_for: MakeRequest, *cases: dict[str, str], **options: object) -> Outcome:
    return await examine(request_for(*cases, **options))


async def test_a_case_in_quarantine_is_told_and_does_not_decide(root: Path, request_for: MakeRequest):
    quarantined(root, "B")
    done = await outcome(request_for, GOOD, BAD)
    assert done.exit_code == EXIT_PASSED
    assert (done.summary.failed, done.summary.quarantined) == (1, 1)
    assert "QUARANTINE: 1 case did not pass; it does not decide: B (known" in done.summary.warnings[0]
    marked = {one.case.id: one.quarantine for one in read_result_file(root / "out.jsonl").results()}
    assert marked["A"] is None
    assert marked["B"] is not None
    assert marked["B"].why == "known"


async def test_without_the_quarantine_it_decides(root: Path, request_for: MakeRequest):
    quarantined(root, "B")
    assert (await outcome(request_for, GOOD, BAD, quarantine=False)).exit_code == EXIT_FAILED


async def test_another_failure_still_decides(root: Path, request_for: MakeRequest):
    quarantined(root, "B")
    assert (await outcome(request_for, GOOD, BAD, {**BAD, "id": "C"})).exit_code == EXIT_FAILED


async def test_a_run_in_which_nothing_passes_is_red(root: Path, request_for: MakeRequest):
    quarantined(root, "B")
    done = await outcome(request_for, BAD)
    assert done.exit_code == EXIT_FAILED
    assert "nothing passed in this run" in done.summary.warnings[0]


async def test_after_its_last_day_an_entry_does_not_hold(root: Path, request_for: MakeRequest):
    quarantined(root, "B", until=TODAY - timedelta(days=1))
    done = await outcome(request_for, GOOD, BAD)
    assert done.exit_code == EXIT_FAILED
    assert "it decides again" in done.summary.warnings[0]


async def test_a_case_that_passed_often_enough_is_proposed_for_release(root: Path, request_for: MakeRequest):
    quarantined(root, "A", more="release_after: 4\n")
    assert (await outcome(request_for, GOOD, runs=3)).summary.warnings == ()
    (said,) = (await outcome(request_for, GOOD, runs=1)).summary.warnings
    assert said == "quarantine.yaml:4: A passed 4 times in a row: take it out of quarantine"


async def test_an_entry_that_names_no_case_is_told(root: Path, request_for: MakeRequest):
    quarantined(root, "cases.jsonl::Z")
    (said,) = (await outcome(request_for, GOOD)).summary.warnings
    assert said.startswith("quarantine.yaml:3: there is no case 'cases.jsonl::Z'")


async def test_a_selection_says_nothing_about_the_others(root: Path, request_for: MakeRequest):
    quarantined(root, "cases.jsonl::Z")
    assert (await outcome(request_for, GOOD, BAD, pattern="A")).summary.warnings == ()
    assert (await outcome(request_for, GOOD, BAD, inputs=("cases.jsonl::A",))).summary.warnings == ()


async def test_a_failure_in_quarantine_does_not_stop_the_run(root: Path, request_for: MakeRequest):
    quarantined(root, "B")
    assert (await outcome(request_for, BAD, GOOD, fail_fast=True)).summary.passed == 1


async def test_an_incomplete_run_stays_red(root: Path, request_for: MakeRequest):
    quarantined(root, "B")
    done = await outcome(request_for, BAD, GOOD, {**BAD, "id": "C"}, {**GOOD, "id": "D"}, fail_fast=True)
    assert done.exit_code == EXIT_FAILED


async def test_a_failing_hook_of_the_run_stays_an_error(root: Path, request_for: MakeRequest):
    quarantined(root, "B")
    (root / "hooks.py").write_text("def after(*_):\n    raise ValueError('boom')\n")
    done = await outcome(request_for, GOOD, BAD, after="hooks.py:after")
    assert done.exit_code not in (EXIT_PASSED, EXIT_FAILED)


async def test_a_baseline_leaves_quarantined_cases_out(root: Path, request_for: MakeRequest):
    await outcome(request_for, GOOD, BAD, baseline="main", update_baseline=True)
    quarantined(root, "B")
    assert (await outcome(request_for, GOOD, {**BAD, "expected": "never"}, baseline="main")).exit_code == EXIT_PASSED


async def test_a_mistake_in_the_file_is_refused_before_anything_runs(root: Path, request_for: MakeRequest):
    (root / "quarantine.yaml").write_text("type: quarantine\ncases:\n- {case: B}\n")
    with pytest.raises(UsageError, match="why is missing"):
        await outcome(request_for, GOOD)
    assert not (root / "out.jsonl").exists()


async def test_in_a_comparison_an_entry_holds_for_the_agent_it_names(root: Path, request_for: MakeRequest):
    (root / "viva.yaml").write_text("agents: {a: {python: agent.py:reply}, b: {python: agent.py:reply}}\n")
    entry = "- {case: B, agent: a, why: known, until: 2999-01-01}\n"
    (root / "quarantine.yaml").write_text(f"type: quarantine\ncases:\n{entry}")
    done = await outcome(request_for, GOOD, BAD, agents=("a", "b"))
    assert (done.summary.failed, done.summary.quarantined, done.exit_code) == (2, 1, EXIT_FAILED)
    (root / "quarantine.yaml").write_text(f"type: quarantine\ncases:\n{entry}{entry.replace('agent: a', 'agent: b')}")
    done = await outcome(request_for, GOOD, BAD, agents=("a", "b"))
    assert (done.summary.quarantined, done.exit_code) == (2, EXIT_PASSED)
