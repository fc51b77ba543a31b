"""What the golden file of the Markdown report does not cover."""

import io

import pytest
from msgspec import structs
from tests.fakes import results

from vivavoce.model.result import RunReport
from vivavoce.reporters.markdown import escaped, fenced, table, write_markdown


def written(report: RunReport) -> str:
    out = io.StringIO()
    write_markdown(report, out)
    return out.getvalue()


def test_summary_and_heading_are_the_seeds():
    text = written(results.report_of([results.plain("T001", seconds=0.234)]))
    assert text.startswith("# Agent Test Report\n\n## Summary\n\n| Metric    | Value              |\n")
    assert "| Pass Rate | 100.0%             |" in text
    assert "\n### ✅ T001 - Passed (234ms)\n" in text


def test_a_block_cannot_be_broken_out_of():
    text = "\n".join(fenced("a\n````\n<script>\n`````"))
    assert text.startswith("``````text\n")
    assert text.rstrip().endswith("\n``````")


@pytest.mark.parametrize("special", list("\\`*_[]<>|#~&$"))
def test_words_outside_of_blocks_mean_nothing_to_markdown(special: str):
    assert escaped(f"a{special}b") == f"a\\{special}b"


def test_a_table_keeps_its_columns_whatever_a_cell_holds():
    lines = table(("A", "B"), [("x|y", "two\nlines")]).splitlines()
    assert lines == ["| A    | B         |", "| ---- | --------- |", "| x\\|y | two lines |"]


def test_a_huge_output_is_cut_and_says_so():
    assert "… (50,000 characters)" in fenced("x" * 50_000)[1]


def test_a_run_that_ended_early_says_so():
    listed = [results.plain()]
    report = results.report_of(listed)
    summary = results.summary_of(listed, interrupted="fail-fast", not_run=4, total=5)
    stopped = structs.replace(report, summary=summary)
    assert "> ⚠️ The run ended early (fail-fast): 4 cases were not run." in written(stopped)


def test_everything_skipped_is_said_loudly():
    assert "> ⚠️ Everything was skipped: nothing was tested." in written(results.report_of([results.skipped()]))
