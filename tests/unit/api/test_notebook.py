"""A report in a notebook."""

import sys
from typing import Any

import pytest
from tests.fakes import results

from vivavoce import Report, UsageError


@pytest.fixture
def report() -> Report:
    listed = [results.plain("T1", name="<b>Bold</b>"), results.wrong_argument(), results.with_history()]
    made = results.report_of(listed)
    return Report(info=made.info, summary=made.summary, kept=tuple(listed))


def test_a_row_for_every_case(report: Report):
    rows = report.to_rows()
    assert [row["status"] for row in rows] == ["passed", "failed", "passed"]
    assert (rows[1]["id"], rows[1]["file"], rows[1]["line"]) == ("pay-1", "tests/pay.jsonl", 12)
    assert rows[1]["tools"] == 'charge_card({amount: 300, card: "visa"})'
    assert rows[1]["reason"].startswith("charge_card with amount")
    assert (rows[2]["input_tokens"], rows[2]["cost"], rows[0]["cost"]) == (812, 0.0031, None)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_the_rows_as_a_data_frame(report: Report, library: Any):
    pytest.importorskip(library)
    frame = report.to_dataframe(library)
    assert type(frame).__module__.startswith(library)
    assert len(frame) == 3
    assert list(frame["id"]) == ["T1", "pay-1", "expense-turn2"]


def test_without_a_library_the_error_says_what_to_install(report: Report, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(UsageError, match=r"neither pandas nor polars is installed \(pip install pandas"):
        report.to_dataframe()
    with pytest.raises(UsageError, match="polars is installed"):
        report.to_dataframe("polars")


def test_it_shows_itself_failures_first_and_everything_escaped(report: Report):
    page = report._repr_html_()  # pyright: ignore[reportPrivateUsage] - what notebooks call
    assert page.index("pay-1") < page.index("T1")
    assert "<b>Bold</b>" not in page
    assert "&lt;b&gt;Bold" in page
    assert "FAILED" in page


def test_a_report_without_results_shows_its_totals(report: Report):
    bare = Report(info=report.info, summary=report.summary, kept=None)
    assert "2 of 3 passed" in bare._repr_html_()  # pyright: ignore[reportPrivateUsage]
    with pytest.raises(UsageError, match="were not kept"):
        bare.to_rows()


def test_a_run_in_which_everything_was_skipped_is_not_shown_as_passed():
    made = results.report_of([results.skipped()])
    report = Report(info=made.info, summary=made.summary, kept=None)
    shown = report._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "NOTHING TESTED" in shown
    assert "PASSED" not in shown
