"""What a run from Python comes back with: its words, its failures, whether it passed."""

import re
from typing import Any

import pytest
from tests.fakes.result_builders import attempt, case, result

from vivavoce.api.report import Report
from vivavoce.errors import UsageError
from vivavoce.model.result import CaseResult, RunInfo, Status
from vivavoce.model.tally import Tally
from vivavoce.wording.unsafe_characters import UNSAFE


def report_of(*statuses: Status, kept: bool = True, **more: Any) -> Report:
    results: list[CaseResult] = []
    tally = Tally()
    for number, status in enumerate(statuses, 1):
        results.append(result(case(f"T{number}", "hi"), attempt(status=status), index=number))
        tally.add(results[-1])
    info = RunInfo(run_id="r", started_at="", agent_id="shop", total_cases=len(statuses))
    return Report(info=info, summary=tally.summary(), kept=tuple(results) if kept else None, **more)


def test_it_passes_when_everything_ran_and_nothing_failed():
    assert report_of(Status.PASSED, Status.SKIPPED).passed
    assert not report_of(Status.PASSED, Status.FAILED).passed


def test_a_case_that_was_not_run_is_red_unless_allowed():
    assert not report_of(Status.PASSED, Status.NOT_RUN).passed
    assert report_of(Status.PASSED, Status.NOT_RUN, allow_not_run=True).passed


def test_its_words_have_the_counts_that_are_not_zero():
    assert repr(report_of(Status.PASSED, Status.FAILED)) == "<Report of shop: FAILED, 1 passed, 1 failed>"
    assert repr(report_of(Status.PASSED, Status.NOT_RUN)) == "<Report of shop: FAILED, 1 passed, 1 not run>"


def test_the_first_ten_failures_have_a_line_each():
    first, *lines = str(report_of(*[Status.FAILED] * 12)).splitlines()
    assert first == "<Report of shop: FAILED, 12 failed>"
    assert (len(lines), lines[-1]) == (11, "  … and 2 more")
    assert "T1" in lines[0]


def test_failures_neither_passed_nor_were_skipped():
    report = report_of(Status.PASSED, Status.FAILED, Status.SKIPPED, Status.ERROR, Status.TIMEOUT)
    assert [one.case.id for one in report.failures] == ["T2", "T4", "T5"]


def test_results_that_were_not_kept_are_an_error_with_what_to_do():
    report = report_of(Status.FAILED, kept=False)
    assert str(report) == "<Report of shop: FAILED, 1 failed>"
    for asked in (lambda: report.results, lambda: report.failures, report.to_rows):
        with pytest.raises(UsageError, match="the results were not kept"):
            asked()


def test_rows_have_one_dict_per_case():
    assert [(row["id"], row["status"]) for row in report_of(Status.PASSED, Status.FAILED).to_rows()] == [
        ("T1", "passed"),
        ("T2", "failed"),
    ]


def test_nothing_that_was_said_acts_on_a_terminal_or_on_the_log_of_github(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    said = "x\n::stop-commands::y\n  ::add-mask::z\n##[error]e \x1b[2J\x9b31m\u202e"
    results = (result(case("T1", "hi"), attempt(status=Status.FAILED, error=said), index=1),)
    told = str(Report(info=report_of().info, summary=report_of(Status.FAILED).summary, kept=results))
    assert re.search(UNSAFE, told) is None
    assert not [line for line in told.splitlines() if line.strip().startswith("::") or "##[" in line]
